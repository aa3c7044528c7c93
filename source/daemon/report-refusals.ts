import {sessionOf, type Observation, type SessionId} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {parseRefusals, type Refusal} from '../network/index.ts';
import {refusalsFileOf} from './launch/network-launch.ts';
import type {Workshop} from './workshop.ts';

/** Fifty of them take a fifth of it. */
const maxBytes = 64 * 1024;

/** Tells what of the network a session was refused and the journal does not know yet. After a crash it is told again, and known. */
export async function reportRefusals(
  workshop: Workshop,
  id: SessionId,
  tell: (saw: Observation) => Promise<unknown>,
): Promise<void> {
  const known = sessionOf(workshop.state(), id)?.networkRefused ?? [];
  const fresh = readRefusals(workshop, id).filter(
    ({host, port}) => !known.some((other) => other.host === host && other.port === port),
  );
  for (const refusal of fresh) await tell({type: 'network-refused', session: id, ...refusal});
}

/** None where the session's network is not restricted, or nothing was refused. */
export function readRefusals(workshop: Workshop, id: SessionId): readonly Refusal[] {
  return parseRefusals(tryReadText(refusalsFileOf(workshop, {id}), {maxBytes}) ?? '');
}
