import path from 'node:path';
import {formatShellOutput} from '../../../reports/index.ts';
import {isLive, selectSession, type Session} from '../../../domain/index.ts';
import {writeFileAtomic} from '../../../files/index.ts';
import {readEnd} from '../../../keeper/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {getExchange} from '../../launch/exchange.ts';
import {shellMarks} from '../../launch/task-launch.ts';
import {pauseFor} from '../../engine/pacing.ts';
import type {ToolContext} from '../tool.ts';
import {createOutputReader, type OutputReader} from './output-reader.ts';
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
  waitForFate,
} from './shell-call.ts';

const checkEveryMs = 50;
const confirmMs = 250;
const interruptMs = 3000;
/** A command that was typed has started after this time. */
const doubtMs = 2000;

/** Runs one command in a shell, or continues to wait for the running one. */
export async function useShell(toolContext: ToolContext, use: ShellUse): Promise<ToolAnswer> {
  const {context} = toolContext;
  const {shell, command, call, timeoutMs, isNew} = use;
  const last = readShellCall(context, shell);
  const isAgain = last !== undefined && call !== undefined && last.call === call;
  if (isAgain && (last.end !== undefined || selectInput(context, shell, last.input) !== undefined))
    return await waitFor(toolContext, use, last, timeoutMs);
  if (command === '' || command === interrupt) {
    if (isNew || last === undefined)
      return {text: 'Nothing is running: the shell was just opened.'};
    if (command === interrupt && last.end === undefined)
      await typeInto(toolContext, {...use, text: interrupt});
    return await waitFor(toolContext, use, last, command === interrupt ? interruptMs : timeoutMs);
  }

  if (last !== undefined && last.end === undefined && (await isUnderWay(toolContext, use, last)))
    throw new Error(
      `the command before is still running: ${formatCommand(last.command)}. ${stillRunningHint}`,
    );
  const next = isAgain ? last : newCall(toolContext, use);
  await typeInto(toolContext, {...use, text: writeCommand(toolContext, use, next)});
  return await waitFor(toolContext, use, next, timeoutMs);
}

/** Noted before anything is typed, so that the call can be continued after a crash. */
function newCall({context}: ToolContext, {shell, command, call}: ShellUse): ShellCall {
  const directory = context.store.directoryOf(shell);
  const next: ShellCall = {
    nonce: context
      .randomToken()
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 16),
    command,
    at: context.now(),
    from: readEnd(directory).end,
    input: (selectSession(context.state(), shell)?.inputs.length ?? 0) + 1,
    ...(call === undefined ? {} : {call}),
  };
  noteShellCall(context, shell, next);
  return next;
}

/**
 * Writes the command to a file that the shell sources, so that it may have any length. Returns the
 * line to type.
 */
function writeCommand(
  {context}: ToolContext,
  {shell}: ShellUse,
  {nonce, command}: ShellCall,
): string {
  const {directory, below} = getExchange(context, shell);
  const [file, frame] = [path.join(directory, 'command'), path.join(directory, 'call')];
  // A program in the shell may have put a link there; it is replaced, never followed.
  writeFileAtomic(file, `${command}\n`, {below});
  writeFileAtomic(
    frame,
    `ORCHESTRA_CALL=${nonce}\nprintf '%s' '${shellMarks.begin(nonce)}'\n. ${quote(file)}\n`,
    {below},
  );
  return ` . ${quote(frame)}\r`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function isUnderWay(
  toolContext: ToolContext,
  {shell}: ShellUse,
  last: ShellCall,
): Promise<boolean> {
  // Noted but never typed: the daemon died in between.
  if (selectInput(toolContext.context, shell, last.input) === undefined) return false;
  const reader = createOutputReader(
    toolContext.context.store.directoryOf(shell),
    last.from,
    last.nonce,
  );
  await reader.read();
  noteBegin(toolContext, shell, last, reader);
  noteEnd(toolContext, shell, last, reader);
  return reader.status() === undefined;
}

/** Waits until the command or the shell has ended, a person is asked, or the time is up. */
async function waitFor(
  toolContext: ToolContext,
  {shell, isNew}: ShellUse,
  given: ShellCall,
  timeoutMs: number,
): Promise<ToolAnswer> {
  const {context, signal} = toolContext;
  let call = given;
  let wasAsking = false;
  const reader = createOutputReader(context.store.directoryOf(shell), call.from, call.nonce);
  const fate = await waitForFate(toolContext, shell, call.input);
  const start = context.now();
  const opened = isNew ? 'The shell was just opened: it has no state of an earlier one.\n' : '';
  for (;;) {
    await reader.read();
    call = noteBegin(toolContext, shell, call, reader);
    const session = selectSession(context.state(), shell);
    const text = formatShellOutput(reader.output(), maxOutputCharacters);
    const status = reader.status();
    if (status !== undefined) {
      noteEnd(toolContext, shell, call, reader);
      return {text: `${opened}${text}${text === '' ? '' : '\n'}[exit ${status}]`};
    }

    if (session === undefined || !isLive(session))
      return {
        text: `${opened}${text}\n[the shell itself ended${formatEnd(session)}; the next call opens a new one]`,
        isError: true,
      };
    if (fate === 'uncertain' && !reader.hasBegun() && context.now() - start > doubtMs) {
      noteShellCall(context, shell, {...call, end: {at: context.now()}});
      return {text: uncertainHint, isError: true};
    }

    const asks =
      session.waiting !== undefined && session.waiting.since > call.at
        ? session.waiting
        : undefined;
    // A command that has just ended looks like one that asks, until its last output is read.
    if (asks !== undefined && wasAsking)
      return {
        text:
          `${opened}${text}\n[it waits for ${asks.secret ? 'a secret' : 'input'}: ` +
          `${asks.question}. A person is notified and can answer in its terminal. ` +
          `${stillRunningHint}]`,
      };
    if (context.now() - start >= timeoutMs && !reader.hasBegun()) {
      // A person may run something else there. Not waited for, or the agent would lose the shell.
      noteShellCall(context, shell, {...call, end: {at: context.now()}});
      return {
        text:
          'It was typed and has not started: something else may run in this shell. ' +
          'Interrupt it with "\\u0003", or choose another name.',
        isError: true,
      };
    }

    if (signal.aborted || context.now() - start >= timeoutMs)
      return {text: `${opened}${text}\n[still running. ${stillRunningHint}]`};
    wasAsking = asks !== undefined;
    await pauseFor(wasAsking ? confirmMs : checkEveryMs, signal);
  }
}

/** Records the start; from now on the command is checked for questions. */
function noteBegin(
  {context}: ToolContext,
  shell: Session['id'],
  call: ShellCall,
  reader: OutputReader,
): ShellCall {
  if (call.begunAt !== undefined || !reader.hasBegun() || reader.status() !== undefined)
    return call;
  const begun = {...call, begunAt: context.now()};
  noteShellCall(context, shell, begun);
  return begun;
}

function noteEnd(
  {context}: ToolContext,
  shell: Session['id'],
  call: ShellCall,
  reader: OutputReader,
): void {
  const status = reader.status();
  if (call.end === undefined && status !== undefined)
    noteShellCall(context, shell, {...call, end: {status, at: context.now()}});
}

function formatEnd(session: Session | undefined): string {
  if (session?.life.at === 'exited')
    return session.life.signal === null
      ? ` with exit ${session.life.code ?? 'unknown'}`
      : ` by ${session.life.signal}`;
  return '';
}

function formatCommand(command: string): string {
  return JSON.stringify(command.length > 80 ? `${command.slice(0, 80)}…` : command);
}
