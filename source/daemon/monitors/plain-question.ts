import type {Session} from '../../domain/index.ts';
import {redact} from '../../secrets/index.ts';
import type {Blocked} from '../../system/index.ts';
import type {SecretValues, StateReader} from '../daemon-context.ts';
import {parseChoices} from '../sessions/parse-choices.ts';
import {findScreenAgent, hasDialogs, type ScreenParseResult} from '../sessions/session-screen.ts';

/** The part of `session-waiting` that a plain program's screen adds to the kernel's report. */
export type OfferedChoices = {
  readonly question: string;
  readonly options: readonly string[];
  readonly keys: readonly string[];
  readonly readsKeys?: true;
};

/**
 * The options that a plain program offers at its prompt. Agents with dialogs of their own are left
 * out: what such an agent prints above its prompt is no question of its program. A declared agent
 * without `patterns.question` is a plain program while it reads whole lines.
 */
export function readChoices(
  context: StateReader & SecretValues,
  session: Session,
  {secret, modes}: Pick<Blocked, 'secret' | 'modes'>,
  {text, cursorRow, isFullScreen, takesPaste}: ScreenParseResult,
): OfferedChoices | undefined {
  const reads = readsBy(modes, takesPaste);
  if (secret || isFullScreen || reads === undefined) return undefined;
  const agent = findScreenAgent(context, session);
  // A line editor of an agent may show anything above its prompt.
  if (agent !== undefined && (hasDialogs(agent) || modes?.isCanonical !== true)) return undefined;
  const found = parseChoices(text, cursorRow);
  if (found === undefined) return undefined;
  const secrets = context.secrets();
  return {
    question: redact(found.question, secrets),
    options: found.choices.map(({label}) => redact(label, secrets)),
    keys: found.choices.map(({key}) => key),
    ...(reads === 'key' ? {readsKeys: true} : {}),
  };
}

/**
 * Whether the program gets whole lines or single keys. Raw mode with echo is `read -n 1`. Raw mode
 * without echo is a line editor, known by its bracketed paste, or something that cannot be told
 * from one: there an Enter might answer the next question, so no options are offered.
 */
export function readsBy(modes: Blocked['modes'], takesPaste: boolean): 'line' | 'key' | undefined {
  if (modes === undefined) return undefined;
  if (modes.isCanonical || takesPaste) return 'line';
  return modes.echoes ? 'key' : undefined;
}
