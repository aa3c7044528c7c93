import path from 'node:path';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {type CachedFrame, detectColourDepth, isFrameText} from '../../app/index.ts';
import type {CliContext} from '../cli-context.ts';

/** The last frame of the app. Private to the person: it holds the output of their sessions. */
const fileIn = (stateDirectory: string): string => path.join(stateDirectory, 'frame.json');

/** The last frame, if it fits the size and the colours of this terminal. */
export function readLastFrame(
  stateDirectory: string,
  {columns, rows, env}: Pick<CliContext, 'columns' | 'rows' | 'env'>,
): CachedFrame | undefined {
  try {
    const cached = JSON.parse(
      tryReadText(fileIn(stateDirectory), {maxBytes: 16 * 1024 * 1024}) ?? '',
    ) as Partial<CachedFrame & {readonly depth: string}> | null;
    const text = cached?.text;
    if (typeof text !== 'string' || columns === undefined || rows === undefined) return undefined;
    const isOfThis =
      cached?.columns === columns &&
      cached.rows === rows &&
      cached.depth === detectColourDepth(env);
    return isOfThis && isFrameText(text) ? {columns, rows, text} : undefined;
  } catch {
    return undefined;
  }
}

export function writeLastFrame(
  stateDirectory: string,
  frame: CachedFrame,
  {env}: Pick<CliContext, 'env'>,
): void {
  const file = fileIn(stateDirectory);
  try {
    writeFileAtomic(file, JSON.stringify({...frame, depth: detectColourDepth(env)}));
  } catch {
    // No state yet, or a full disk: the next start begins with a blank screen.
  }
}
