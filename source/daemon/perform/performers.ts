import type {Effect} from '../../domain/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {runSession} from './run-session.ts';
import {stopSession} from './stop-session.ts';
import {typeInput} from './type-input.ts';
import {wait} from './wait.ts';
import {watchService} from './watch-service.ts';

/** Who brings which effect about. What this version cannot do yet fails with words, and a person sees it. */
export function performers(workshop: Workshop): Perform {
  const table: Partial<Record<Effect['do'], Perform>> = {
    'run-session': runSession(workshop),
    'stop-session': stopSession(workshop),
    'type-input': typeInput(workshop),
    'watch-service': watchService(workshop),
    wait: wait(workshop),
  };
  return async (effect, report, signal) => {
    const perform = table[effect.do];
    if (perform === undefined) throw new Error(`this version cannot ${effect.do}`);
    await perform(effect, report, signal);
  };
}
