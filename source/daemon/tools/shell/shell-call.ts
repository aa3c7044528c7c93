import {
  type SessionInput,
  selectOpenQuestion,
  selectSession,
  type Session,
  type SessionId,
} from '../../../domain/index.ts';
import {shellMarks} from '../../launch/task-launch.ts';
import {readOutput} from '../../sessions/session-screen.ts';
import type {SessionFiles} from '../../daemon-context.ts';
import {pauseFor} from '../../engine/pacing.ts';
import type {ToolContext} from '../tool.ts';

/** The output ends with the end mark and the prompt. */
const tailBytes = 4096;

/**
 * Whether a session that waits for input asks nobody by that: an idle shell waits for its agent's
 * next command, and an agent with an open question to a person has already said what it waits for.
 */
export function isAtRest(context: SessionFiles, session: Session, at: number): boolean {
  const {id, purpose} = session;
  if (selectOpenQuestion(session) !== undefined) return true;
  if (purpose.for !== 'shell') return false;
  const call = purpose.program === undefined ? readShellCall(context, id) : undefined;
  if (call?.begunAt === undefined || call.begunAt >= at) return true;
  return (
    call.end !== undefined ||
    readOutput(context, id, tailBytes).includes(shellMarks.end(call.nonce))
  );
}

/** One call to an open shell. */
export type ShellUse = {
  readonly shell: SessionId;
  readonly caller: SessionId;
  readonly command: string;
  readonly call?: string;
  readonly timeoutMs: number;
  /** The shell was opened for this call. */
  readonly isNew: boolean;
};

/** Ctrl-C. */
export const interrupt = '\u0003';

/** Limits the returned output: an agent pays for each token. */
export const maxOutputCharacters = 6000;

export const stillRunningHint =
  'Call again with an empty command to keep waiting, or with "\\u0003" to interrupt it.';

export const uncertainHint =
  'It is unknown whether it was typed, and it is not typed twice. Look at the result before you ask again.';

const fateCheckMs = 20;
const typingMs = 15_000;

/**
 * Types text into a shell, once. `uncertain`: it is unknown whether it was typed, and it is not
 * typed again.
 */
export async function typeInto(
  toolContext: ToolContext,
  {
    caller,
    shell,
    text,
  }: {readonly caller: SessionId; readonly shell: SessionId; readonly text: string},
): Promise<SessionInput['fate']> {
  const {context, conductor} = toolContext;
  const {events, refused} = await conductor.submit({
    type: 'report',
    at: context.now(),
    saw: {type: 'shell-told', session: caller, shell, text},
  });
  if (refused !== undefined) throw new Error(refused);
  const asked = events.find((event) => event.type === 'input-asked');
  return asked === undefined ? 'uncertain' : waitForFate(toolContext, shell, asked.input);
}

/** Waits until an input is typed or uncertain. */
export async function waitForFate(
  {context, signal}: ToolContext,
  shell: SessionId,
  number: number,
): Promise<SessionInput['fate']> {
  for (const end = context.now() + typingMs; ;) {
    const fate = selectInput(context, shell, number)?.fate ?? 'uncertain';
    if (fate !== 'pending' || signal.aborted || context.now() > end) return fate;
    await pauseFor(fateCheckMs, signal);
  }
}

export function selectInput(
  {state}: ToolContext['context'],
  shell: SessionId,
  number: number,
): SessionInput | undefined {
  return selectSession(state(), shell)?.inputs.find((input) => input.number === number);
}

/**
 * The last call to a shell, noted before it is typed, so that a repeated call continues it, also
 * after a crash.
 */
export type ShellCall = {
  readonly nonce: string;
  /** The agent's name for the call, if any. */
  readonly call?: string;
  readonly command: string;
  /** The number of the input that types it. */
  readonly input: number;
  /** Where the output ended before. */
  readonly from: number;
  readonly at: number;
  /** When the command was first seen running. Until then the shell is still at its prompt. */
  readonly begunAt?: number;
  /** How it ended. Only a shell reports a `status`. */
  readonly end?: {readonly status?: number; readonly at: number};
};

export function readShellCall({store}: SessionFiles, shell: SessionId): ShellCall | undefined {
  const note = store.noteOf(shell, 'shell-call') as ShellCall | undefined;
  return typeof note?.nonce === 'string' ? note : undefined;
}

export function noteShellCall({store}: SessionFiles, shell: SessionId, call: ShellCall): void {
  store.writeNote(shell, 'shell-call', call);
}
