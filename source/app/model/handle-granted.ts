import {getLimits} from '../../project-config/index.ts';
import {decisionLabels} from '../../reports/index.ts';
import {
  type Event,
  isSessionId,
  type RunId,
  selectInteractiveWorker,
  selectRun,
  type State,
  toTaskId,
  type UserCommand,
} from '../../domain/index.ts';
import {expectAccepted} from './accepted-run.ts';
import {noChange, type Result, withNotice} from './action.ts';
import {settlePlanComment} from './comments.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from './model.ts';
import {openScreen} from './open-screen.ts';

/** What the app shows after the daemon accepted a command. */
export function handleGranted(
  model: Model,
  command: UserCommand,
  answer: unknown,
  state: State,
  now: number,
): Result {
  switch (command.type) {
    case 'start-run': {
      const run = eventsIn(answer).find((event) => event.type === 'run-created')?.run;
      // Without a plan, the agent of its only task is what the person waits for.
      const isOpened = command.request.open !== undefined && run !== undefined;
      return openScreen(
        {
          ...model,
          isZoomed: false,
          selected: isOpened ? toTaskId(run, 't1') : (run ?? model.selected),
          awaitedPlan: isOpened ? undefined : run,
        },
        'workers',
        state,
      );
    }

    case 'start-session': {
      const session = eventsIn(answer).find((event) => event.type === 'session-asked')?.session;
      const opening =
        model.opening === undefined || session === undefined
          ? undefined
          : {...model.opening, session};
      return openScreen(
        {...model, isZoomed: false, selected: session ?? model.selected, opening},
        'workers',
        state,
      );
    }

    case 'reset-task':
      return noChange(withNotice(model, `The agent of ${command.task} restarts.`, now));
    case 'move-in-queue':
      return noChange(
        withNotice(model, `${command.run} is number ${command.position} in the queue.`, now),
      );
    case 'approve-plan':
      return openScreen(
        {
          ...withNotice(model, `Approved. ${formatStarting(state, command.run)}`, now, 'good'),
          selected: selectFirstTask(state, command.run),
          isZoomed: false,
        },
        'workers',
        state,
      );
    case 'plan-again':
      return noChange(
        withNotice({...model, selected: command.run}, 'The planner starts again.', now),
      );
    case 'reject-plan':
      return openScreen(
        {...withNotice(model, `${command.run} is planned again.`, now), selected: command.run},
        'workers',
        state,
      );
    case 'comment-plan':
      return noChange(settlePlanComment(model, command, true));
    case 'take-over':
      return openScreen(
        {
          ...withNotice(
            model,
            `${command.task} is in your hands. ${keyFor(model, 'hand-back')} hands it ` +
              `back to be checked, ${keyFor(model, 'hand-to-agent')} to its agent.`,
            now,
          ),
          selected: command.task,
          terminal: undefined,
        },
        'workers',
        state,
      );
    case 'hand-back':
      return noChange(
        withNotice(
          model,
          command.to === 'agent'
            ? `The agent of ${command.task} goes on.`
            : `${command.task} is being checked.`,
          now,
        ),
      );
    case 'check-task':
      return noChange(
        withNotice(
          model,
          selectInteractiveWorker(state, command.task)?.turn?.at === 'open'
            ? `${command.task} is checked when the turn of its agent has ended.`
            : `${command.task} is being checked.`,
          now,
        ),
      );
    case 'resume':
      return noChange(
        withNotice(
          model,
          eventsIn(answer).some(({type}) => type === 'pause-ended')
            ? `${command.what} tries its agent now.`
            : `${command.what} goes on.`,
          now,
        ),
      );
    case 'extend-budget':
      return noChange(
        withNotice(model, `${command.run} goes on, with more to spend.`, now, 'good'),
      );
    case 'choose-baseline':
      return noChange(
        withNotice(
          model,
          `${command.check}: ` +
            `${decisionLabels[command.choice]}.${command.choice === 'mend' ? ' The plan has its task; read it before you approve.' : ''}`,
          now,
          'good',
        ),
      );
    case 'baseline-again':
      return noChange(withNotice(model, `The base of ${command.run} is checked again.`, now));
    case 'refresh-environment':
      return noChange(
        withNotice(
          model,
          `Sessions of ${command.run} that begin from now on get the environment of your shell.`,
          now,
          'good',
        ),
      );
    case 'adopt-branch':
      return noChange(
        withNotice(model, `${command.run} goes on from what you took over.`, now, 'good'),
      );
    case 'restore-branch':
      return noChange(withNotice(model, `The branch of ${command.run} is put back.`, now));
    case 'accept-run':
      return expectAccepted(
        withNotice(model, `${command.run} is being brought into your branch.`, now, 'good'),
        command.run,
        state,
      );
    case 'undo':
      return noChange(
        withNotice(model, `Undone: ${command.kind} of ${command.what}.`, now, 'good'),
      );
    case 'grant-attempt':
      return noChange(withNotice(model, `${command.task} gets one more attempt.`, now, 'good'));
    case 'discard':
      return noChange(
        withNotice(
          model,
          `Discarded ${command.what}; its change is kept · ${keyFor(model, 'undo', 'command')} brings it back`,
          now,
        ),
      );
    case 'stop':
      // A stopped session of the person cannot be resumed.
      return noChange(
        withNotice(
          model,
          isSessionId(command.what)
            ? `${command.what} is stopped.`
            : `${command.what} is stopped. ${keyFor(model, 'resume', 'workers')} resumes it.`,
          now,
        ),
      );
    default:
      return noChange(model);
  }
}

/** The events in the daemon's answer to a command. */
function eventsIn(answer: unknown): readonly Event[] {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'events' in answer &&
    Array.isArray(answer.events)
      ? answer.events
      : []
  ) as readonly Event[];
}

/** The first task without dependencies: its terminal comes into view. */
/** `4 workers start.`: as many tasks as wait for no other, and as there is room for. */
function formatStarting(state: State, id: RunId): string {
  const free = (selectRun(state, id)?.tasks ?? []).filter(
    ({planned}) => planned.after.length === 0,
  ).length;
  const count = Math.min(getLimits(state.project).workers, free);
  if (count === 0) return 'Workers start.';
  return count === 1 ? '1 worker starts.' : `${count} workers start.`;
}

function selectFirstTask(state: State, id: RunId): string {
  return selectRun(state, id)?.tasks.find(({planned}) => planned.after.length === 0)?.id ?? id;
}
