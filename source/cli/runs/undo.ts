import {formatJson} from '../../reports/index.ts';
import {sanitizeText} from '../../shared/index.ts';
import {
  type Event,
  isTaskId,
  type RunId,
  selectUndoables,
  type TaskId,
  type Undoable,
} from '../../domain/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {withLive} from '../with-daemon.ts';
import {UsageError} from '../repo-paths.ts';
import {parseSubject} from './find-subject.ts';

type Options = {readonly json?: boolean};

/**
 * Undoes the newest decision of the last ten minutes, or the newest about a run or task: an accept,
 * a discard, a stop, or a plan that was sent back. Says what it undoes, then waits for the result.
 */
export async function undo(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const subject = id === undefined ? undefined : parseSubject(id);
  let outcome: Event | undefined;
  let what: RunId | TaskId | undefined;
  return withLive(
    cli,
    async (live) => {
      const decision = findDecision(selectUndoables(live.state(), Date.now()), subject);
      what = decision.task ?? decision.run;
      if (options.json !== true)
        cli.out(`undoes: ${decision.kind} ${what}, ${sanitizeText(decision.title)}\n`);
      await live.ask({about: 'wish', wish: {type: 'undo', what, kind: decision.kind}});
      await live.until(() => outcome !== undefined);
      return print(outcome, {what, decision}, options, cli);
    },
    (event) => {
      if (what !== undefined && isOutcome(event, what)) outcome = event;
    },
  );
}

function findDecision(
  decisions: readonly Undoable[],
  subject: RunId | TaskId | undefined,
): Undoable {
  const found = decisions.find(
    ({run, task}) => subject === undefined || (isTaskId(subject) ? task : run) === subject,
  );
  if (found === undefined)
    throw new UsageError(
      `there is nothing to undo${subject === undefined ? '' : ` about ${subject}`}: an ` +
        'accept, a discard, a stop or a rejected plan can be undone for ten minutes, as ' +
        'long as nothing was built on it',
    );
  return found;
}

/** The event that ends an undo of this run or task. */
function isOutcome(event: Event, what: RunId | TaskId): boolean {
  switch (event.type) {
    case 'undo-refused':
      return event.what === what;
    case 'accept-undone':
    case 'run-restored':
    case 'run-resumed':
    case 'rejection-withdrawn':
      return event.run === what;
    case 'task-restored':
    case 'task-resumed':
      return event.task === what;
    default:
      return false;
  }
}

function print(
  outcome: Event | undefined,
  {what, decision}: {readonly what: string; readonly decision: Undoable},
  {json}: Options,
  {out, err}: CliContext,
): ExitCode {
  const why = outcome?.type === 'undo-refused' ? outcome.why : undefined;
  if (json === true)
    out(formatJson({what, kind: decision.kind, undone: why === undefined, ...(why && {why})}));
  else if (why === undefined) out(`${sanitizeText(describeResult(what, decision))}\n`);
  else err(`orchestra: ${sanitizeText(why)}\n`);
  return why === undefined ? 0 : 1;
}

function describeResult(what: string, {kind, text}: Undoable): string {
  switch (kind) {
    case 'accept':
      return `done: ${text}. Accept it again: orchestra accept ${what}`;
    case 'discard':
      return `${what} is back; it is stopped. Go on: orchestra resume ${what}`;
    case 'stop':
      return `${what} goes on`;
    case 'reject':
      return `the plan of ${what} waits for you again: orchestra plan show ${what}`;
  }
}
