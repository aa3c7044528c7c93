import path from 'node:path';
import {formatShellOutput} from '../../../documents/index.ts';
import {isLive, sessionOf, type Session} from '../../../domain/index.ts';
import {writeWhole} from '../../../files/index.ts';
import {readEnd} from '../../../keeper/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {exchangeOf} from '../../launch/exchange.ts';
import {markOf} from '../../launch/shell-launch.ts';
import {pauseFor} from '../../pause-for.ts';
import type {ToolShop} from '../tool.ts';
import {createOutputReader, type OutputReader} from './create-output-reader.ts';
import {noteShellCall, shellCallOf, type ShellCall} from './shell-call.ts';
import {doubt, interrupt, lettingGo, mostCharacters, type ShellUse} from './shell-use.ts';
import {fateOf, inputOf, typeInto} from './type-into.ts';

const lookEveryMs = 50;
const confirmMs = 250;
const interruptMs = 3000;
/** What was typed after all has begun by then. */
const doubtMs = 2000;

/** Runs one command in a shell, or goes on waiting for the one that runs. */
export async function useShell(shop: ToolShop, use: ShellUse): Promise<ToolAnswer> {
  const {workshop} = shop;
  const {shell, command, call, timeoutMs, isNew} = use;
  const last = shellCallOf(workshop, shell);
  const isAgain = last !== undefined && call !== undefined && last.call === call;
  if (isAgain && (last.end !== undefined || inputOf(workshop, shell, last.input) !== undefined))
    return await waitFor(shop, use, last, timeoutMs);
  if (command === '' || command === interrupt) {
    if (isNew || last === undefined)
      return {text: 'Nothing is running: the shell was just opened.'};
    if (command === interrupt && last.end === undefined)
      await typeInto(shop, {...use, text: interrupt});
    return await waitFor(shop, use, last, command === interrupt ? interruptMs : timeoutMs);
  }

  if (last !== undefined && last.end === undefined && (await isUnderWay(shop, use, last)))
    throw new Error(`the command before is still running: ${shown(last.command)}. ${lettingGo}`);
  const next = isAgain ? last : newCall(shop, use);
  await typeInto(shop, {...use, text: layOut(shop, use, next)});
  return await waitFor(shop, use, next, timeoutMs);
}

/** Noted before anything is typed: after a crash it is known what the agent meant. */
function newCall({workshop}: ToolShop, {shell, command, call}: ShellUse): ShellCall {
  const directory = workshop.store.directoryOf(shell);
  const next: ShellCall = {
    nonce: workshop
      .randomToken()
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 16),
    command,
    at: workshop.now(),
    from: readEnd(directory).end,
    input: (sessionOf(workshop.state(), shell)?.inputs.length ?? 0) + 1,
    ...(call === undefined ? {} : {call}),
  };
  noteShellCall(workshop, shell, next);
  return next;
}

/** The command goes into a file that the shell reads: so it may have any length and many lines. Gives what is to be typed. */
function layOut({workshop}: ToolShop, {shell}: ShellUse, {nonce, command}: ShellCall): string {
  const {directory, below} = exchangeOf(workshop, shell);
  const [file, frame] = [path.join(directory, 'command'), path.join(directory, 'call')];
  // What runs in the shell may have put a link there: it is replaced, never followed.
  writeWhole(file, `${command}\n`, {below});
  writeWhole(
    frame,
    `ORCHESTRA_CALL=${nonce}\nprintf '%s' '${markOf.begin(nonce)}'\n. ${quoted(file)}\n`,
    {below},
  );
  return ` . ${quoted(frame)}\r`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function isUnderWay(shop: ToolShop, {shell}: ShellUse, last: ShellCall): Promise<boolean> {
  // Noted, and never asked for: the daemon died between the two.
  if (inputOf(shop.workshop, shell, last.input) === undefined) return false;
  const reader = createOutputReader(shop.workshop.store.directoryOf(shell), last.from, last.nonce);
  await reader.read();
  noteBegin(shop, shell, last, reader);
  noteEnd(shop, shell, last, reader);
  return reader.status() === undefined;
}

/** Until the command has ended, the shell with it, somebody is asked, or time is up. */
async function waitFor(
  shop: ToolShop,
  {shell, isNew}: ShellUse,
  given: ShellCall,
  timeoutMs: number,
): Promise<ToolAnswer> {
  const {workshop, signal} = shop;
  let call = given;
  let wasAsking = false;
  const reader = createOutputReader(workshop.store.directoryOf(shell), call.from, call.nonce);
  const fate = await fateOf(shop, shell, call.input);
  const start = workshop.now();
  const opened = isNew ? 'The shell was just opened: nothing of an earlier one is in it.\n' : '';
  for (;;) {
    await reader.read();
    call = noteBegin(shop, shell, call, reader);
    const session = sessionOf(workshop.state(), shell);
    const text = formatShellOutput(reader.output(), mostCharacters);
    const status = reader.status();
    if (status !== undefined) {
      noteEnd(shop, shell, call, reader);
      return {text: `${opened}${text}${text === '' ? '' : '\n'}[exit ${status}]`};
    }

    if (session === undefined || !isLive(session))
      return {
        text: `${opened}${text}\n[the shell itself ended${endOf(session)}; the next call opens a new one]`,
        isError: true,
      };
    if (fate === 'uncertain' && !reader.hasBegun() && workshop.now() - start > doubtMs) {
      noteShellCall(workshop, shell, {...call, end: {at: workshop.now()}});
      return {text: doubt, isError: true};
    }

    const asks =
      session.waiting !== undefined && session.waiting.since > call.at
        ? session.waiting
        : undefined;
    // A command that has just ended looks like one that asks, until the last that it printed is read.
    if (asks !== undefined && wasAsking)
      return {
        text: `${opened}${text}\n[it waits for ${asks.secret ? 'a secret' : 'input'}: ${asks.question}. A person is told and can answer in its terminal. ${lettingGo}]`,
      };
    if (workshop.now() - start >= timeoutMs && !reader.hasBegun()) {
      // A person may have something else running there. It is not waited for, or the shell would be lost to the agent.
      noteShellCall(workshop, shell, {...call, end: {at: workshop.now()}});
      return {
        text: 'It was typed and has not begun: something else may run in this shell. Interrupt it with "\\u0003", or take another name.',
        isError: true,
      };
    }

    if (signal.aborted || workshop.now() - start >= timeoutMs)
      return {text: `${opened}${text}\n[still running. ${lettingGo}]`};
    wasAsking = asks !== undefined;
    await pauseFor(wasAsking ? confirmMs : lookEveryMs, signal);
  }
}

/** From here on it is looked whether it asks. */
function noteBegin(
  {workshop}: ToolShop,
  shell: Session['id'],
  call: ShellCall,
  reader: OutputReader,
): ShellCall {
  if (call.begunAt !== undefined || !reader.hasBegun() || reader.status() !== undefined)
    return call;
  const begun = {...call, begunAt: workshop.now()};
  noteShellCall(workshop, shell, begun);
  return begun;
}

function noteEnd(
  {workshop}: ToolShop,
  shell: Session['id'],
  call: ShellCall,
  reader: OutputReader,
): void {
  const status = reader.status();
  if (call.end === undefined && status !== undefined)
    noteShellCall(workshop, shell, {...call, end: {status, at: workshop.now()}});
}

function endOf(session: Session | undefined): string {
  if (session?.life.at === 'exited')
    return session.life.signal === null
      ? ` with exit ${session.life.code ?? 'unknown'}`
      : ` by ${session.life.signal}`;
  return '';
}

function shown(command: string): string {
  return JSON.stringify(command.length > 80 ? `${command.slice(0, 80)}…` : command);
}
