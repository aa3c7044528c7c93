import type {TimelineEntry} from '../../documents/index.ts';
import {
  isRunId,
  isSessionId,
  runIdOfSession,
  runOf,
  sessionOf,
  taskIdOfSession,
  type SessionId,
  type State,
} from '../../domain/index.ts';

/** The session in whose recording a moment can be seen: its own, else the one that was at work for the task or the run then. */
export function recordingOf(
  state: State,
  {at, type, run, task, session}: TimelineEntry,
): SessionId | undefined {
  if (session !== null) return isSessionId(session) ? session : undefined;
  const of = run !== null && isRunId(run) ? runOf(state, run) : undefined;
  const sessions = (of?.sessions ?? [])
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((one) =>
      task === null
        ? one.purpose.for === 'plan' && runIdOfSession(one) === run
        : taskIdOfSession(one) === task,
    );
  const before = sessions.findLast(({life}) => 'when' in life && life.when <= at);
  const then = sessions.find(({life}) => !('when' in life) || life.when >= at);
  // What came of something is seen in whoever ended just before it, what begins in whoever comes next.
  return ((outcomes.test(type) ? (before ?? then) : then) ?? sessions.at(-1))?.id;
}

const outcomes =
  /(?:failed|passed|validated|merged|stopped|conflicted|gave-up|received|captured|judged|committed|finished|interrupted|written)$/;
