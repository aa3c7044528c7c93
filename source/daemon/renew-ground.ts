import type {RunId} from '../domain/index.ts';
import type {Conductor} from './conductor.ts';
import {baseMoved, rulesChanged} from './perform/ground-changed.ts';
import type {Workshop} from './workshop.ts';

/** Looks once more at what an approval binds, before it is given: whoever read something else has to read it again. */
export async function renewGround(
  workshop: Workshop,
  conductor: Conductor,
  run: RunId,
): Promise<void> {
  for (const saw of [rulesChanged(workshop, run), await baseMoved(workshop, run)]) {
    if (saw !== undefined) await conductor.submit({type: 'report', at: workshop.now(), saw});
  }
}
