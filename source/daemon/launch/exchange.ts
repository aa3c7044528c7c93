import path from 'node:path';
import type {SessionId} from '../../domain/index.ts';
import {readRegularFile, writeWhole} from '../../files/index.ts';
import type {Workshop} from '../workshop.ts';

/** What goes to an agent and what comes back, in a directory of its own: the session's directory holds a token that no agent may see. */
export type Exchange = {
  readonly directory: string;
  /** The directory that holds all of them; an agent that is not confined could put a link in the place of its own. */
  readonly below: string;
  /** What it was told. */
  readonly prompt: string;
  /** What it says came of it. */
  readonly outcome: string;
  /** It is there if the prompt is to be typed. */
  readonly typed: string;
  /** Where older versions kept the tokens of each part of the prompt. An agent can write there: it is a note of the session now. */
  readonly context: string;
  /** How it calls its tools. */
  readonly tools: string;
};

export function exchangeOf(
  {stateDirectory, store}: Pick<Workshop, 'stateDirectory' | 'store'>,
  session: SessionId,
): Exchange {
  const directory = exchangeDirectoryOf({stateDirectory}, store.cookieOf(session));
  return {
    directory,
    below: stateDirectory,
    prompt: path.join(directory, 'prompt.md'),
    outcome: path.join(directory, 'outcome.json'),
    typed: path.join(directory, 'typed'),
    context: path.join(directory, 'context.json'),
    tools: path.join(directory, 'tools.json'),
  };
}

/** `name` is the mark of a session, or of another command that is run for a task. */
export function exchangeDirectoryOf(
  {stateDirectory}: Pick<Workshop, 'stateDirectory'>,
  name: string,
): string {
  return path.join(stateDirectory, 'exchange', name);
}

export function writePrompt({prompt, below}: Exchange, text: string): void {
  writeWhole(prompt, text, {below});
}

const mostOutcomeBytes = 1024 * 1024;

/** An agent wrote it: it may be anything, or a link to anywhere. One that cannot be read counts as a failure that says why. */
export function readOutcomeText({outcome, below}: Exchange): string | undefined {
  const reading = readRegularFile(outcome, {maxBytes: mostOutcomeBytes, below});
  if (reading.at === 'read') return reading.bytes.toString('utf8');
  return reading.why === 'missing'
    ? undefined
    : JSON.stringify({
        at: 'failed',
        words: `What the agent left as its outcome is not read: ${path.basename(outcome)} ${reading.message}.`,
      });
}
