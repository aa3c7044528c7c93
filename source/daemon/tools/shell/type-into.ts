import {sessionOf, type Input, type SessionId} from '../../../domain/index.ts';
import {pauseFor} from '../../pause-for.ts';
import type {ToolShop} from '../tool.ts';

const lookEveryMs = 20;
const patienceMs = 15_000;

/** Has it typed, once, and says whether it was. `uncertain`: nobody can say, and it is not typed again. */
export async function typeInto(
  shop: ToolShop,
  {
    caller,
    shell,
    text,
  }: {readonly caller: SessionId; readonly shell: SessionId; readonly text: string},
): Promise<Input['fate']> {
  const {workshop, conductor} = shop;
  const {events, refused} = await conductor.submit({
    type: 'report',
    at: workshop.now(),
    saw: {type: 'shell-told', session: caller, shell, text},
  });
  if (refused !== undefined) throw new Error(refused);
  const asked = events.find((event) => event.type === 'input-asked');
  return asked === undefined ? 'uncertain' : fateOf(shop, shell, asked.input);
}

/** What became of an input; it is waited for while it is on its way. */
export async function fateOf(
  {workshop, signal}: ToolShop,
  shell: SessionId,
  number: number,
): Promise<Input['fate']> {
  for (const end = workshop.now() + patienceMs; ;) {
    const fate = inputOf(workshop, shell, number)?.fate ?? 'uncertain';
    if (fate !== 'pending' || signal.aborted || workshop.now() > end) return fate;
    await pauseFor(lookEveryMs, signal);
  }
}

export function inputOf(
  {state}: ToolShop['workshop'],
  shell: SessionId,
  number: number,
): Input | undefined {
  return sessionOf(state(), shell)?.inputs.find((input) => input.number === number);
}
