import {
  type Attempt,
  type CheckResult,
  isBetweenTurns,
  isPerTask,
  isResting,
  isServiceReady,
  isUndecided,
  type Run,
  selectAttempt,
  selectAwaitedByMerge,
  selectChecks,
  selectChoice,
  selectNextCheck,
  selectPredecessors,
  selectSession,
  selectTaskQuestion,
  selectWaitingSession,
  type SessionId,
  type State,
  type Task,
} from '../../domain/index.ts';
import {selectTaskNumber, toSafeLine} from '../../reports/index.ts';
import {cutLine, displayWidth, formatClockMinute} from '../../shared/index.ts';
import {formatWaitingTime, formatRunningTime} from '../model/format-age.ts';

export type TaskSign =
  'works' | 'waits' | 'asks' | 'stopped' | 'merged' | 'held' | 'yours' | 'discarded';

/** `words`: at most `maxLabelWidth` cells. `text`: the same with more detail. */
export type TaskLabel = {readonly sign: TaskSign; readonly words: string; readonly text: string};

export const maxLabelWidth = 11;

/** What a task is doing, in a word or two. */
export function selectTaskLabel(state: State, run: Run, task: Task, now: number): TaskLabel {
  const {stage, hold, trouble} = task;
  if (stage.at === 'merged') return label('merged', 'merged');
  if (stage.at === 'discarded') return label('discarded', 'discarded');
  if (hold !== undefined || run.hold !== undefined) return label('held', 'paused', 'paused by you');
  if (trouble !== undefined) return label('stopped', 'blocked');
  if (isResting(run, task)) return label('held', 'paused');
  const question = stage.at === 'taken-over' ? undefined : selectTaskQuestion(state, task.id);
  if (question !== undefined)
    return question.secret
      ? label('asks', 'asks secret', 'asks for a secret')
      : label('asks', 'asks you');
  switch (stage.at) {
    case 'waiting':
      return labelOfWaiting(state, run, task);
    case 'preparing':
      return label('works', 'starting');
    case 'attempting':
      if (selectWaitingSession(state, run, task) !== undefined)
        return label('yours', 'your turn', 'waits for you');
      return labelOfAttempt(state, run, selectAttempt(task), now);
    case 'taken-over':
      return label('yours', 'yours', 'in your hands');
    case 'stopped':
      return label('stopped', 'stopped');
    case 'validated':
      return labelOfGreen(state, run, task);
    case 'merging':
      return stage.step.at === 'checking'
        ? label('works', 'merging', `merging, ${formatCheck(run, stage.step.results)}`)
        : label('works', 'merging');
  }
}

function label(sign: TaskSign, short: string, text: string = short): TaskLabel {
  return {sign, words: cutLine(short, maxLabelWidth), text};
}

function labelOfWaiting(state: State, run: Run, task: Task): TaskLabel {
  const before = selectPredecessors(run, task)
    .filter(({stage}) => stage.at !== 'merged')
    .flatMap(({id}) => selectTaskNumber(run, id) ?? []);
  if (before.length > 0) {
    const text = `after ${before.join(', ')}`;
    const [first] = before;
    const isWide = displayWidth(text) > maxLabelWidth;
    return label('waits', isWide ? `after ${first} +${before.length - 1}` : text, text);
  }

  if (run.stage.at !== 'working') return label('waits', 'paused');
  const missing = task.planned.services.find(
    (name) => !isPerTask(state, name) && !isServiceReady(state, name),
  );
  return missing === undefined
    ? label('waits', 'no slot')
    : label('waits', `needs ${toSafeLine(missing)}`, `needs the service ${toSafeLine(missing)}`);
}

function labelOfAttempt(
  state: State,
  run: Run,
  attempt: Attempt | undefined,
  now: number,
): TaskLabel {
  const step = attempt?.step;
  switch (step?.at) {
    case 'working':
      return labelOfWork(state, step.session, attempt?.repairs !== undefined, now);
    case 'pausing': {
      const until = formatClockMinute(step.until);
      return label('waits', `until ${until}`, `agent limit until ${until}`);
    }

    case 'capturing':
    case 'judging':
      return label('works', 'rules');
    case 'checking':
      return label('works', formatShortCheck(run, step.results), formatCheck(run, step.results));
    case 'committing':
    case 'passed':
      return label('works', 'green');
    case 'failed':
    case 'gave-up':
      return label('works', 'failed');
    default:
      return label('works', 'starting');
  }
}

function labelOfWork(state: State, id: SessionId, isRepair: boolean, now: number): TaskLabel {
  const session = selectSession(state, id);
  if (session?.retrying !== undefined) return label('works', 'retrying', 'its service fails');
  const verb = isRepair ? 'repairs' : 'works';
  if (session?.life.at !== 'running') return label('works', 'starting');
  if (isBetweenTurns(session))
    return session.turn?.source === 'screen'
      ? label('works', 'turn over?', 'its turn seems to be over')
      : label('works', 'turn over', 'its turn is over');
  const elapsed = now - session.life.since;
  const text = `${verb} ${formatRunningTime(elapsed)}`;
  const shown = [text, `${verb} ${formatWaitingTime(elapsed)}`].find(
    (one) => displayWidth(one) <= maxLabelWidth,
  );
  return label('works', shown ?? verb, text);
}

function labelOfGreen(state: State, run: Run, task: Task): TaskLabel {
  if (isUndecided(run, task)) return label('yours', 'pick one', 'green, waits for your pick');
  const before = selectAwaitedByMerge(state, run, task).flatMap(
    ({id}) => selectTaskNumber(run, id) ?? [],
  );
  return label(
    'works',
    'green',
    before.length === 0 ? 'green, merges next' : `green, merges after ${before.join(', ')}`,
  );
}

/** `test 1/2`. */
function formatCheck(run: Run, results: readonly CheckResult[]): string {
  const {name, place} = findCheck(run, results);
  return place === '' ? name : `${name} ${place}`;
}

/** The same with the name cut, so that the numbers stay. */
function formatShortCheck(run: Run, results: readonly CheckResult[]): string {
  const {name, place} = findCheck(run, results);
  return place === '' ? name : `${cutLine(name, maxLabelWidth - displayWidth(place) - 1)} ${place}`;
}

function findCheck(
  run: Run,
  results: readonly CheckResult[],
): {readonly name: string; readonly place: string} {
  const all = selectChecks(run).filter((check) => selectChoice(run, check) !== 'ignore');
  const next = selectNextCheck(run, results);
  return next === undefined
    ? {name: 'checked', place: ''}
    : {name: toSafeLine(next.name), place: `${all.indexOf(next) + 1}/${all.length}`};
}
