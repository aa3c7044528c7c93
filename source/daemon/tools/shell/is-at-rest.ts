import {openQuestionOf, type Session} from '../../../domain/index.ts';
import {markOf} from '../../launch/shell-launch.ts';
import {readOutput} from '../../perform/read-output.ts';
import type {Workshop} from '../../workshop.ts';
import {shellCallOf} from './shell-call.ts';

/** The prompt stands at the end of the output, and the mark before it. */
const tailBytes = 4096;

/**
 * Whether a session that waited for input at that moment asked nobody by it: a shell that has nothing to do waits for its agent's
 * next command, and an agent that has put a question to a person has said already what it waits for.
 */
export function isAtRest(workshop: Workshop, session: Session, at: number): boolean {
  const {id, purpose} = session;
  if (openQuestionOf(session) !== undefined) return true;
  if (purpose.for !== 'shell') return false;
  const call = purpose.program === undefined ? shellCallOf(workshop, id) : undefined;
  if (call?.begunAt === undefined || call.begunAt >= at) return true;
  return (
    call.end !== undefined || readOutput(workshop, id, tailBytes).includes(markOf.end(call.nonce))
  );
}
