import path from 'node:path';
import {tryReadText, writeWhole} from '../../files/index.ts';
import {colourDepthOf, isFrameText, type KeptFrame} from '../../tui/index.ts';
import type {Surroundings} from '../surroundings.ts';

/** What the app showed last, for the person alone to read: it holds what their sessions print. */
const fileIn = (stateDirectory: string): string => path.join(stateDirectory, 'frame.json');

/** The last frame, if it can be painted on this terminal as it is: of its size and its colours. */
export function readLastFrame(
  stateDirectory: string,
  {columns, rows, env}: Pick<Surroundings, 'columns' | 'rows' | 'env'>,
): KeptFrame | undefined {
  try {
    const kept = JSON.parse(
      tryReadText(fileIn(stateDirectory), {maxBytes: 16 * 1024 * 1024}) ?? '',
    ) as Partial<KeptFrame & {readonly depth: string}> | null;
    const text = kept?.text;
    if (typeof text !== 'string' || columns === undefined || rows === undefined) return undefined;
    const isOfThis =
      kept?.columns === columns && kept.rows === rows && kept.depth === colourDepthOf(env);
    return isOfThis && isFrameText(text) ? {columns, rows, text} : undefined;
  } catch {
    return undefined;
  }
}

export function writeLastFrame(
  stateDirectory: string,
  frame: KeptFrame,
  {env}: Pick<Surroundings, 'env'>,
): void {
  const file = fileIn(stateDirectory);
  try {
    writeWhole(file, JSON.stringify({...frame, depth: colourDepthOf(env)}));
  } catch {
    // No state yet, or a full disk: the next start begins blank, and that is all.
  }
}
