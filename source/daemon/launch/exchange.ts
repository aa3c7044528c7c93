import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {SessionId} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';

/** What goes to an agent and what comes back, in a directory of its own: the session's directory holds a token that no agent may see. */
export type Exchange = {
  readonly directory: string;
  /** What it was told. */
  readonly prompt: string;
  /** What it says came of it. */
  readonly outcome: string;
  /** It is there if the prompt is to be typed. */
  readonly typed: string;
  /** Tokens of each part of the prompt, for the audit. */
  readonly context: string;
  /** How it calls its tools. */
  readonly tools: string;
};

export function exchangeOf({stateDirectory, store}: Pick<Workshop, 'stateDirectory' | 'store'>, session: SessionId): Exchange {
  const directory = exchangeDirectoryOf({stateDirectory}, store.cookieOf(session));
  return {directory, prompt: path.join(directory, 'prompt.md'), outcome: path.join(directory, 'outcome.json'), typed: path.join(directory, 'typed'), context: path.join(directory, 'context.json'), tools: path.join(directory, 'tools.json')};
}

/** `name` is the mark of a session, or of another command that is run for a task. */
export function exchangeDirectoryOf({stateDirectory}: Pick<Workshop, 'stateDirectory'>, name: string): string {
  return path.join(stateDirectory, 'exchange', name);
}

export function writeExchange({directory, prompt, context}: Exchange, texts: {readonly prompt: string; readonly context: unknown}): void {
  mkdirSync(directory, {recursive: true, mode: 0o700});
  writeFileSync(prompt, texts.prompt, {mode: 0o600});
  writeFileSync(context, JSON.stringify(texts.context), {mode: 0o600});
}

const mostOutcomeBytes = 1024 * 1024;

/** An agent wrote it: it may be anything, or a link to anywhere. */
export function readOutcomeText({outcome}: Exchange): string | undefined {
  if (!existsSync(outcome)) return undefined;
  const {size} = statSync(outcome);
  return size > mostOutcomeBytes ? undefined : readFileSync(outcome, 'utf8');
}
