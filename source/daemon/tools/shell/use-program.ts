import {formatShellOutput} from '../../../documents/index.ts';
import {isLive, sessionOf, type SessionId} from '../../../domain/index.ts';
import {readEnd} from '../../../keeper/index.ts';
import {readProcesses, type Sample} from '../../../machine/index.ts';
import type {ToolAnswer} from '../../../protocol/index.ts';
import {pauseFor} from '../../pause-for.ts';
import {askWhether} from '../../watch-sessions.ts';
import type {ToolShop} from '../tool.ts';
import {createOutputReader} from './create-output-reader.ts';
import {noteShellCall, shellCallOf, type ShellCall} from './shell-call.ts';
import {doubt, interrupt, lettingGo, mostCharacters, type ShellUse} from './shell-use.ts';
import {inputOf, typeInto} from './type-into.ts';

const lookEveryMs = 120;
/** How long nothing may come before it is believed to wait: the less the kernel can prove, the longer. */
const stillMs = {proven: 240, inferred: 600, otherwise: 2500};

/** Types lines into a program that answers lines. It is done when the kernel shows that it waits for the next one. */
export async function useProgram(shop: ToolShop, use: ShellUse): Promise<ToolAnswer> {
  const {workshop} = shop;
  const {shell, command, call, timeoutMs, isNew} = use;
  const last = shellCallOf(workshop, shell);
  const isAgain = last !== undefined && call !== undefined && last.call === call;
  if (isAgain && inputOf(workshop, shell, last.input) !== undefined)
    return await waitFor(shop, use, last, timeoutMs);
  if (isNew) await untilItWaits(shop, shell, 0, timeoutMs);
  const from =
    isNew && last === undefined && (command === '' || command === interrupt)
      ? 0
      : readEnd(workshop.store.directoryOf(shell)).end;
  if (command === '') return await waitFor(shop, use, last ?? callAt(shop, use, from), timeoutMs);
  const next = callAt(shop, use, from);
  noteShellCall(workshop, shell, next);
  const text = command === interrupt ? interrupt : `${command.replaceAll(/\r\n|\n/g, '\r')}\r`;
  const fate = await typeInto(shop, {...use, text});
  if (fate === 'uncertain') return {text: doubt, isError: true};
  return await waitFor(shop, use, next, timeoutMs);
}

function callAt({workshop}: ToolShop, {shell, command, call}: ShellUse, from: number): ShellCall {
  return {
    nonce: 'lines',
    command,
    at: workshop.now(),
    from,
    input: (sessionOf(workshop.state(), shell)?.inputs.length ?? 0) + 1,
    ...(call === undefined ? {} : {call}),
  };
}

async function waitFor(
  shop: ToolShop,
  {shell}: ShellUse,
  {from}: ShellCall,
  timeoutMs: number,
): Promise<ToolAnswer> {
  const {workshop} = shop;
  const waits = await untilItWaits(shop, shell, from, timeoutMs);
  const reader = createOutputReader(workshop.store.directoryOf(shell), from);
  await reader.read();
  const text = formatShellOutput(reader.output(), mostCharacters);
  const session = sessionOf(workshop.state(), shell);
  if (session === undefined || !isLive(session))
    return {text: `${text}\n[the program ended; the next call opens a new one]`};
  return {text: waits ? text : `${text}\n[still running. ${lettingGo}]`};
}

/** True once it takes the next line, or has ended; false when time is up first. */
async function untilItWaits(
  {workshop, signal}: ToolShop,
  shell: SessionId,
  from: number,
  timeoutMs: number,
): Promise<boolean> {
  const directory = workshop.store.directoryOf(shell);
  let earlier: Sample | undefined;
  let seen = {end: -1, since: workshop.now(), proofs: 0};
  for (const deadline = workshop.now() + timeoutMs; ;) {
    const session = sessionOf(workshop.state(), shell);
    if (session === undefined || !isLive(session)) return true;
    const all = await readProcesses(workshop.kernel);
    const sample = 'value' in all ? {at: all.at, processes: all.value} : undefined;
    const blocked =
      sample === undefined ? undefined : await askWhether(workshop, session, sample, earlier);
    const {end} = readEnd(directory);
    const now = workshop.now();
    const isProven = blocked?.verdict === 'blocked' && blocked.proof === 'proven';
    seen =
      end === seen.end
        ? {...seen, proofs: isProven ? seen.proofs + 1 : 0}
        : {end, since: now, proofs: 0};
    const still = now - seen.since;
    // Without a single character it has not even begun.
    if (end > from) {
      if (seen.proofs >= 2 && still >= stillMs.proven) return true;
      if (blocked?.verdict === 'blocked' && still >= stillMs.inferred) return true;
      if (blocked?.verdict !== 'working' && still >= stillMs.otherwise) return true;
    }

    if (signal.aborted || now >= deadline) return false;
    earlier = sample ?? earlier;
    await pauseFor(lookEveryMs, signal);
  }
}
