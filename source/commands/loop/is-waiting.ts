import {
  isGoing,
  isReady,
  isRunActive,
  liveSessionsOfTask,
  needsOf,
  predecessorsOf,
  type Run,
  type State,
} from '../../domain/index.ts';

/** Nothing of the run goes on without a person. What waits for input goes on only when somebody answers. */
export function isWaitingForPerson(state: State, run: Run): boolean {
  const {stage} = run;
  if (!isRunActive(run)) return true;
  if (stage.at === 'reviewing' || stage.at === 'planless') return true;
  if (stage.at === 'planning') return run.sessions.some((id) => hasQuestion(state, id));
  if (stage.at !== 'working' || isReady(run)) return false;
  const going = run.tasks.filter((task) => isGoing(state, run, task));
  const isAsking = (task: Run['tasks'][number]): boolean =>
    liveSessionsOfTask(state, task.id).some(({id}) => hasQuestion(state, id));
  const isHeldUp = (task: Run['tasks'][number]): boolean =>
    task.stage.at === 'waiting' &&
    predecessorsOf(run, task).some((earlier) => earlier.stage.at !== 'merged');
  const moving = going.filter((task) => !isAsking(task) && !isHeldUp(task));
  return moving.length === 0;
}

/** Only what is proven counts here: an agent that thinks for a while looks as if it waited. */
function hasQuestion(state: State, session: string): boolean {
  return needsOf(state).some(
    (need) =>
      need.kind === 'question' &&
      'session' in need &&
      need.session === session &&
      need.proof === 'proven',
  );
}
