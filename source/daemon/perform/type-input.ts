import {Buffer} from 'node:buffer';
import {redact} from '../../documents/index.ts';
import {sessionOf, type Input, type Session} from '../../domain/index.ts';
import {agentInSession} from '../agent-in-session.ts';
import type {Perform} from '../conductor.ts';
import {meetKeeper} from '../meet-keeper.ts';
import {dialogOn, readAsking} from '../read-asking.ts';
import {lookAtScreen} from '../read-screen.ts';
import type {Workshop} from '../workshop.ts';
import {optionKeys} from './option-keys.ts';

/** The keeper types an input once, however often it hears of it; so it is safe to say it again. */
export function typeInput(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'type-input') return;
    const {session: id, input: number} = effect;
    const session = sessionOf(workshop.state(), id);
    const input = session?.inputs.find((candidate) => candidate.number === number);
    const link = await meetKeeper(workshop, id);
    if (link === undefined || session === undefined || input === undefined)
      throw new Error('its keeper is gone');
    const leave = (): void => {
      link.close();
    };
    signal.addEventListener('abort', leave);
    try {
      // What was begun before is only asked after, whatever is on the screen by now.
      const keys = link.welcome.lastInput >= number ? '' : keysFor(workshop, session, input);
      if (keys !== undefined) await link.type(number, Buffer.from(keys));
      await report(
        keys === undefined
          ? {
              type: 'input-uncertain',
              session: id,
              input: number,
              why: 'what it answers is no longer on the screen; nothing was typed',
            }
          : {type: 'input-typed', session: id, input: number},
      );
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

/** An answer to a dialog is typed into that very dialog, or not at all: the same keys would answer whatever is open. */
function keysFor(workshop: Workshop, session: Session, {text, answers}: Input): string | undefined {
  if (answers === undefined) return text;
  const driver = agentInSession(workshop, session);
  const {reading, also: cells} = lookAtScreen(workshop, session.id, (screen) => screen.readCells());
  const asking = readAsking(reading, driver);
  if (asking === undefined || redact(asking.question, workshop.secrets()) !== answers)
    return undefined;
  const dialog = dialogOn(reading.text, driver);
  return dialog === undefined ? undefined : optionKeys(dialog, Number(text), cells);
}
