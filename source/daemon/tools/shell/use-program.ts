import {formatShellOutput} from '../../../reports/index.ts';
import {isLive, selectSession, type SessionId} from '../../../domain/index.ts';
import {readEnd} from '../../../keeper/index.ts';
import {type ProcessSample, readProcesses} from '../../../system/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {pauseFor} from '../../engine/pacing.ts';
import {checkBlocked} from '../../monitors/watch-sessions.ts';
import type {ToolContext} from '../tool.ts';
import {createOutputReader} from './output-reader.ts';
import {
  interrupt,
  maxOutputCharacters,
  noteShellCall,
  readShellCall,
  selectInput,
  type ShellCall,
  type ShellUse,
  stillRunningHint,
  typeInto,
  uncertainHint,
} from './shell-call.ts';

const checkEveryMs = 120;
/**
 * How long the output must be quiet until the program counts as waiting: the less the kernel can
 * prove, the longer.
 */
const quietMs = {proven: 240, inferred: 600, otherwise: 2500};

/**
 * Types lines into a program that answers lines. Done when the kernel shows that it waits for the
 * next one.
 */
export async function useProgram(toolContext: ToolContext, use: ShellUse): Promise<ToolAnswer> {
  const {context} = toolContext;
  const {shell, command, call, timeoutMs, isNew} = use;
  const last = readShellCall(context, shell);
  const isAgain = last !== undefined && call !== undefined && last.call === call;
  if (isAgain && selectInput(context, shell, last.input) !== undefined)
    return await waitFor(toolContext, use, last, timeoutMs);
  if (isNew) await waitUntilReady(toolContext, shell, 0, timeoutMs);
  const from =
    isNew && last === undefined && (command === '' || command === interrupt)
      ? 0
      : readEnd(context.store.directoryOf(shell)).end;
  if (command === '')
    return await waitFor(toolContext, use, last ?? callAt(toolContext, use, from), timeoutMs);
  const next = callAt(toolContext, use, from);
  noteShellCall(context, shell, next);
  const text = command === interrupt ? interrupt : `${command.replaceAll(/\r\n|\n/g, '\r')}\r`;
  const fate = await typeInto(toolContext, {...use, text});
  if (fate === 'uncertain') return {text: uncertainHint, isError: true};
  return await waitFor(toolContext, use, next, timeoutMs);
}

function callAt({context}: ToolContext, {shell, command, call}: ShellUse, from: number): ShellCall {
  return {
    nonce: 'lines',
    command,
    at: context.now(),
    from,
    input: (selectSession(context.state(), shell)?.inputs.length ?? 0) + 1,
    ...(call === undefined ? {} : {call}),
  };
}

async function waitFor(
  toolContext: ToolContext,
  {shell}: ShellUse,
  {from}: ShellCall,
  timeoutMs: number,
): Promise<ToolAnswer> {
  const {context} = toolContext;
  const waits = await waitUntilReady(toolContext, shell, from, timeoutMs);
  const reader = createOutputReader(context.store.directoryOf(shell), from);
  await reader.read();
  const text = formatShellOutput(reader.output(), maxOutputCharacters);
  const session = selectSession(context.state(), shell);
  if (session === undefined || !isLive(session))
    return {text: `${text}\n[the program ended; the next call opens a new one]`};
  return {text: waits ? text : `${text}\n[still running. ${stillRunningHint}]`};
}

/** True when the program reads the next line or has ended; false if the time is up first. */
async function waitUntilReady(
  {context, signal}: ToolContext,
  shell: SessionId,
  from: number,
  timeoutMs: number,
): Promise<boolean> {
  const directory = context.store.directoryOf(shell);
  let earlier: ProcessSample | undefined;
  let seen = {end: -1, since: context.now(), proofs: 0};
  for (const deadline = context.now() + timeoutMs; ;) {
    const session = selectSession(context.state(), shell);
    if (session === undefined || !isLive(session)) return true;
    const all = await readProcesses(context.kernel);
    const sample = 'value' in all ? {at: all.at, processes: all.value} : undefined;
    const blocked =
      sample === undefined ? undefined : await checkBlocked(context, session, sample, earlier);
    const {end} = readEnd(directory);
    const now = context.now();
    const isProven = blocked?.verdict === 'blocked' && blocked.proof === 'proven';
    seen =
      end === seen.end
        ? {...seen, proofs: isProven ? seen.proofs + 1 : 0}
        : {end, since: now, proofs: 0};
    const still = now - seen.since;
    // Without any output it has not started.
    if (end > from) {
      if (seen.proofs >= 2 && still >= quietMs.proven) return true;
      if (blocked?.verdict === 'blocked' && still >= quietMs.inferred) return true;
      if (blocked?.verdict !== 'working' && still >= quietMs.otherwise) return true;
    }

    if (signal.aborted || now >= deadline) return false;
    earlier = sample ?? earlier;
    await pauseFor(checkEveryMs, signal);
  }
}
