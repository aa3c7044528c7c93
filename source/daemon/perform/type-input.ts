import {Buffer} from 'node:buffer';
import {sessionOf} from '../../domain/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {meetKeeper} from '../meet-keeper.ts';

/** The keeper types an input once, however often it hears of it; so it is safe to say it again. */
export function typeInput(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'type-input') return;
    const {session: id, input: number} = effect;
    const input = sessionOf(workshop.state(), id)?.inputs.find((candidate) => candidate.number === number);
    const link = await meetKeeper(workshop, id);
    if (link === undefined || input === undefined) throw new Error('its keeper is gone');
    const leave = (): void => { link.close(); };
    signal.addEventListener('abort', leave);
    try {
      await link.type(number, Buffer.from(input.text));
      await report({type: 'input-typed', session: id, input: number});
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}
