import {
  type RunId,
  selectListedServices,
  selectOpenRuns,
  selectRun,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {nextModel, nextPlanner, openModelField, selectAgent, selectAgents} from './agent-choice.ts';
import {nextAcceptWay} from './run-decisions.ts';
import {
  type Action,
  isWithinGuardDelay,
  noChange,
  openField,
  type Result,
  withEffects,
  withNotice,
} from './action.ts';
import {safeLine} from './line.ts';
import {resetKey, startRebinding, unbindKey} from '../keymap/rebind.ts';
import {commentLine, dropComment, sendComments} from './comment-line.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {handleDecision} from './handle-decision.ts';
import {handlePaneAction} from './handle-pane-action.ts';
import {confirm} from './confirm.ts';
import type {Model, ScreenName} from './model.ts';
import {confirmPrepare, nextSkill, recallObjective, writeObjective} from './objective.ts';
import {selectMissingDependencies} from './answers.ts';
import {focusRow, move, stepFile} from './move.ts';
import {selectNextNeed} from './needs-queue.ts';
import {askDaemon, askTimeline, goBack, openReview, openScreen, showNeed} from './open-screen.ts';
import {buildPalette} from '../keymap/resolve.ts';
import {selectRecording} from './select-terminals.ts';
import {settingRows, withNextValue, withSettings} from './settings.ts';
import {submitField} from './submit-field.ts';

type NamedAction = Extract<Action, {type: 'action'}>;

/** Handles an action of the keymap or the palette. */
export function handleAction(
  model: Model,
  {action, chord, isGuarded, isBurst}: NamedAction,
  state: State,
  now: number,
): Result {
  // Text pasted in a terminal without bracketed paste, or keys typed ahead of the screen.
  if (isBurst === true && (isGuarded || decidingActions.has(action)))
    return noChange(
      withNotice(model, 'Pasted or queued keys cannot confirm an action. Press it again.', now),
    );
  if (isGuarded && isWithinGuardDelay(model, now))
    return noChange(
      withNotice(model, 'The screen has just changed. Look again, and press it once more.', now),
    );
  switch (action) {
    case 'quit':
      return withEffects(model, {type: 'quit'});
    case 'suspend':
    case 'redraw':
      return withEffects(model, {type: action});
    case 'back':
      return goBack(model, state);
    case 'help':
      return openScreen(model, 'help', state);
    case 'palette':
      return noChange({
        ...openField(model, {what: 'palette'}, ''),
        places: {...model.places, palette: {cursor: 0, top: 0}},
      });
    case 'next-need':
    case 'previous-need':
      return showNextNeed(model, action === 'next-need' ? 1 : -1, state, now);
    case 'screen-workers':
    case 'screen-brief':
    case 'screen-plan':
    case 'screen-review':
    case 'screen-services':
    case 'screen-timeline':
    case 'screen-audit':
    case 'screen-knowledge':
    case 'screen-settings':
    case 'screen-keys':
      return openScreen(model, action.slice('screen-'.length) as ScreenName, state);
    case 'see-plan':
      return openScreen(model, 'plan', state);
    case 'see-diff':
      return openScreen(model, 'review', state);
    case 'new-objective':
    case 'write-objective':
      return writeObjective(model, state);
    case 'share-dependencies': {
      const missing = selectMissingDependencies(model);
      return missing.length === 0
        ? noChange(model)
        : withEffects(
            withNotice(
              model,
              `Asks for ${missing
                .map(({path}) => safeLine(path))
                .slice(0, 3)
                .join(', ')} in every worktree …`,
              now,
            ),
            askDaemon('share', {about: 'share', paths: missing.map(({path}) => path)}),
          );
    }

    case 'prepare-repository':
      return model.repository.trouble === undefined
        ? noChange(model)
        : noChange({
            ...model,
            confirmation: confirmPrepare(model.repository.name, model.repository.trouble),
          });
    case 'older':
    case 'newer':
      return noChange(recallObjective(model, action === 'older' ? -1 : 1));
    case 'next-agent': {
      const agents = selectAgents(model, state);
      return noChange({
        ...model,
        agent:
          agents[
            (agents.indexOf(selectAgent(model, state) ?? '') + 1) % Math.max(1, agents.length)
          ] ?? model.agent,
      });
    }

    case 'next-planner':
      return noChange(nextPlanner(model, state));
    case 'next-skill':
      return noChange(nextSkill(model, now));
    case 'queue-objective':
      return model.field?.for.what === 'objective'
        ? submitField(model, model.field, state, now, {isQueued: true})
        : noChange(model);
    case 'next-model':
    case 'next-planner-model':
      return nextModel(model, action === 'next-model' ? 'worker' : 'planner', state, now);
    case 'name-model':
    case 'name-planner-model':
      return openModelField(model, action === 'name-model' ? 'worker' : 'planner', state, now);
    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'first':
    case 'last':
      return move(model, action, state, now);
    case 'comment-line':
      return commentLine(model, state, now);
    case 'other-side':
      return noChange({...model, reviewFocus: model.reviewFocus === 'files' ? 'diff' : 'files'});
    case 'next-file':
    case 'previous-file':
      return noChange(
        stepFile({...model, reviewFocus: 'diff'}, action === 'next-file' ? 'down' : 'up'),
      );
    case 'drop-comment':
      return dropComment(model, state, now);
    case 'send-comments':
      return sendComments(model, state, now);
    case 'next-subject':
      return nextSubject(model, state);
    case 'see-pane': {
      const service =
        selectListedServices(state)[
          Math.min(selectListedServices(state).length - 1, model.places.services.cursor)
        ]?.spec.name;
      return service === undefined
        ? noChange(model)
        : openScreen({...model, selected: `service/${service}`}, 'workers', state);
    }

    case 'see-moment':
      return seeMoment(model, state, now);
    case 'all-events': {
      const next: Model = {...model, showsAllEvents: !model.showsAllEvents};
      return withEffects(next, askTimeline(next));
    }

    case 'search':
      return noChange(openField(model, {what: 'recall'}, 'Search for'));
    case 'open':
      return noChange({
        ...model,
        reviewFocus: 'diff',
        places: {...model.places, reading: {cursor: 0, top: 0}},
      });
    case 'change-setting': {
      // The last row is the keys, which have their own screen.
      const row = settingRows[Math.max(0, model.places.settings.cursor)];
      return row === undefined
        ? openScreen(model, 'keys', state)
        : noChange(withSettings(model, withNextValue(model.settings, row.name)));
    }

    case 'change-key':
      return noChange(startRebinding(model, now));
    case 'usual-key':
      return noChange(resetKey(model, now));
    case 'no-key':
      return noChange(unbindKey(model, now));
    case 'keep-key':
      return noChange({...model, rebinding: undefined});

    case 'submit':
      return submit(model, isBurst, state, now);
    case 'leave-field':
      // After the name of a model, the objective continues.
      return noChange({
        ...model,
        field: model.field?.for.what === 'model' ? model.field.for.objective : undefined,
      });
    case 'leave-confirm':
      return noChange({...model, confirmation: undefined});
    case 'confirm':
      return confirm(model, now);
    case 'next-way':
      return nextAcceptWay(model, state);
    case 'stop':
    case 'resume':
    case 'take-over':
    case 'hand-back':
    case 'hand-to-agent':
    case 'discard':
    case 'approve':
    case 'edit-plan':
    case 'reject-plan':
    case 'option':
    case 'answer':
    case 'grant':
    case 'accept':
    case 'plan-again':
    case 'more-budget':
    case 'seen':
    case 'adopt-branch':
    case 'restore-branch':
    case 'baseline-mend':
    case 'baseline-ignore':
    case 'baseline-no-new':
    case 'baseline-count':
    case 'baseline-again':
    case 'start-service':
    case 'stop-service':
    case 'restart-service':
    case 'propose':
    case 'note':
    case 'reset':
    case 'environment':
    case 'start-command':
    case 'queue-earlier':
    case 'queue-later':
      return handleDecision(model, action, chord, state, now);
    default:
      return handlePaneAction(model, action, chord, state, now);
  }
}

/**
 * Actions that change something but are not guarded: they can be undone, or open a text field
 * first.
 */
const decidingActions: ReadonlySet<ActionName> = new Set<ActionName>([
  'option',
  'answer',
  'grant',
  'reject-plan',
  'plan-again',
  'send-comments',
  'edit-plan',
  'comment-line',
  'new-objective',
  'write-objective',
  'type',
  'note',
  'hand-to-agent',
  'start-command',
  'queue-earlier',
  'queue-later',
]);

function showNextNeed(model: Model, step: 1 | -1, state: State, now: number): Result {
  // From another screen, the first need is shown.
  const isThere = model.screen === 'needs';
  const need = selectNextNeed(state, isThere ? model.need : undefined, step);
  if (need === undefined)
    return isThere
      ? noChange({...model, need: undefined})
      : noChange(withNotice(model, 'Nothing needs you.', now, 'good'));
  const opened = isThere ? noChange(model) : openScreen({...model, need}, 'needs', state);
  return showNeed(opened.model, need);
}

/** In the review: the run, then each of its tasks with an attempt. In the audit: the next run. */
function nextSubject(model: Model, state: State): Result {
  if (model.screen === 'audit') {
    const runs = selectOpenRuns(state).map(({id}) => id);
    const run = runs[(runs.indexOf(model.run ?? 'r0') + 1) % Math.max(1, runs.length)];
    return run === undefined
      ? noChange(model)
      : withEffects({...model, run}, askDaemon('audit', {about: 'audit', run}));
  }

  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run === undefined) return noChange(model);
  const all: (RunId | TaskId)[] = [
    run.id,
    ...run.tasks.filter(({attempts}) => attempts.length > 0).map(({id}) => id),
  ];
  return openReview(model, all[(all.indexOf(model.subject ?? run.id) + 1) % all.length]);
}

function seeMoment(model: Model, state: State, now: number): Result {
  const entries = model.answers.timeline?.entries ?? [];
  const entry = entries[Math.min(entries.length - 1, model.places.timeline.cursor)];
  const session = entry === undefined ? undefined : selectRecording(state, entry);
  if (entry === undefined || session === undefined)
    return noChange(
      withNotice(
        model,
        'This happened in no terminal. Entries that name a session at their end have a recording.',
        now,
      ),
    );
  return withEffects(model, {type: 'replay', session, at: entry.at});
}

function submit(model: Model, isBurst: true | undefined, state: State, now: number): Result {
  const {field} = model;
  if (field === undefined) return noChange(model);
  if (field.for.what !== 'palette') return submitField(model, field, state, now);
  const entries = buildPalette(model, state);
  const entry = entries[Math.min(entries.length - 1, model.places.palette.cursor)];
  const closed: Model = {...model, field: undefined};
  if (entry === undefined) return noChange(closed);
  if ('action' in entry)
    return handleAction(
      closed,
      {
        type: 'action',
        action: entry.action,
        chord: entry.chord,
        isGuarded: entry.isGuarded,
        ...(isBurst === undefined ? {} : {isBurst}),
      },
      state,
      now,
    );
  return focusRow(openScreen(closed, 'workers', state).model, entry.goes, state);
}
