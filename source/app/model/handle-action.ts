import {selectListedServices, type State} from '../../domain/index.ts';
import {changeMode} from './mode-choice.ts';
import {nextAgent, nextModel, nextPlanner, nextVariants, openModelField} from './agent-choice.ts';
import {nextAcceptWay, undoLast} from './run-decisions.ts';
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
import {decidingActions} from '../keymap/action-name.ts';
import {handleDecision} from './handle-decision.ts';
import {handlePaneAction} from './handle-pane-action.ts';
import {confirm, confirmPrepare} from './confirmations.ts';
import {copyMarkdown} from './accepted-run.ts';
import {openBriefRow} from './coming-back.ts';
import {openTimelineRow} from './timeline-layout.ts';
import type {Model, ScreenName} from './model.ts';
import {offerStarterRules} from './starter-rules.ts';
import {nextSkill, recallObjective, writeObjective} from './objective.ts';
import {changeVariants, nextTaskAgent} from './task-agent.ts';
import {selectMarkedVariant} from '../select/variants-view.ts';
import {selectMissingDependencies} from './answers.ts';
import {move} from './move.ts';
import {
  markViewed,
  compareVariants,
  nextSubject,
  stepChange,
  stepFile,
  toggleFold,
  toggleSideBySide,
} from './move-in-review.ts';
import {selectNextNeed} from './needs-queue.ts';
import {
  askDaemon,
  askTimeline,
  goBack,
  goHome,
  isHome,
  openScreen,
  showNeed,
} from './open-screen.ts';
import {nextListMode} from './size-class.ts';
import {unmoved} from '../select/palette.ts';
import {findKey, handleHelpAction, openHelp} from './help.ts';
import {chooseWay, copyWay, firstWays, openDemo, selectMarkedWay} from './first-ways.ts';
import {settingRows, withNextValue, withSettings} from './settings.ts';
import {openAgent} from './start-run.ts';
import {submitField} from './submit-field.ts';
import {submitPalette} from './submit-palette.ts';

type NamedAction = Extract<Action, {type: 'action'}>;

/** Handles an action of the keymap or the palette. */
export function handleAction(model: Model, given: NamedAction, state: State, now: number): Result {
  const {action, chord, isGuarded, isBurst} = given;
  // Text pasted in a terminal without bracketed paste, or keys typed ahead of the screen.
  if (isBurst === true && (isGuarded || decidingActions.has(action)))
    return noChange(
      withNotice(model, 'That looked pasted, so nothing was decided. Press the key alone.', now),
    );
  if (isGuarded && isWithinGuardDelay(model, now))
    return noChange(
      withNotice(
        // A key that is held down repeats: it confirms nothing until it was released.
        action === 'confirm' ? {...model, changedAt: now} : model,
        'The screen just changed. Press again if you mean it.',
        now,
      ),
    );
  if (model.help?.at === 'place')
    return handleHelpAction(model, action, state, () =>
      handleAction({...model, help: undefined}, given, state, now),
    );
  switch (action) {
    case 'quit':
      return chord === 'ctrl-c' || isHome(model, state)
        ? withEffects(model, {type: 'quit'})
        : goHome(model, state);
    case 'undo':
      return undoLast(model, state, now);
    case 'list-width':
      return noChange(nextListMode(model));
    case 'suspend':
    case 'redraw':
      return withEffects(model, {type: action});
    case 'back':
      return goBack(model, state);
    case 'help':
      return noChange(openHelp(model));
    case 'palette':
      return noChange({
        ...openField(model, {what: 'palette'}, ''),
        places: {...model.places, palette: unmoved},
      });
    case 'next-need':
    case 'previous-need':
      return showNextNeed(model, action === 'next-need' ? 1 : -1, state, now);
    case 'screen-workers':
    case 'screen-brief':
    case 'screen-plan':
    case 'screen-review':
    case 'screen-variants':
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
        ? offerStarterRules(model, now)
        : noChange({
            ...model,
            confirmation: confirmPrepare(model.repository.name, model.repository.trouble),
          });
    case 'choose-way':
      return chooseWay(model, firstWays[Number(chord) - 1], now);
    case 'take-way':
      return chooseWay(model, selectMarkedWay(model), now);
    case 'open-demo':
      return openDemo(model, now);
    case 'copy-way':
      return copyWay(model, now);
    case 'older':
    case 'newer':
      return noChange(recallObjective(model, action === 'older' ? -1 : 1));
    case 'next-agent':
      return noChange(nextAgent(model, state));
    case 'next-planner':
      return noChange(nextPlanner(model, state));
    case 'change-mode':
    case 'change-planner-mode':
      return changeMode(model, action === 'change-mode' ? 'worker' : 'planner', state, now);
    case 'next-variants':
      return noChange(nextVariants(model, state, now));
    case 'next-skill':
      return noChange(nextSkill(model, now));
    case 'queue-objective':
      return model.field?.for.what === 'objective'
        ? submitField(model, model.field, state, now, {isQueued: true})
        : noChange(model);
    case 'open-agent':
      return openAgent(model, state, now);
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
      return move(model, action, state);
    case 'comment-line':
      return commentLine(model, state, now);
    case 'other-side':
      if (model.screen === 'timeline')
        return noChange({
          ...model,
          timelinePart: model.timelinePart === 'chart' ? 'events' : 'chart',
        });
      return noChange({...model, reviewFocus: model.reviewFocus === 'files' ? 'diff' : 'files'});
    case 'next-file':
    case 'previous-file':
      return noChange(
        stepFile({...model, reviewFocus: 'diff'}, action === 'next-file' ? 'down' : 'up'),
      );
    case 'next-change':
    case 'previous-change':
      return noChange(stepChange(model, action === 'next-change' ? 'next' : 'previous', now));
    case 'mark-viewed':
      return noChange(markViewed(model, now));
    case 'side-by-side':
      return noChange(toggleSideBySide(model));
    case 'drop-comment':
      return dropComment(model, state, now);
    case 'task-agent':
      return nextTaskAgent(model, state, now);
    case 'more-variants':
    case 'fewer-variants':
      return changeVariants(model, action === 'more-variants' ? 1 : -1, state, now);
    case 'compare':
      return compareVariants(model, state, now);
    case 'send-comments':
      return sendComments(model, state, now);
    case 'next-subject':
      return nextSubject(model, state);
    case 'see-pane': {
      const variant = model.screen === 'variants' ? selectMarkedVariant(model, state) : undefined;
      if (variant !== undefined)
        return openScreen({...model, selected: variant.id}, 'workers', state);
      const service =
        selectListedServices(state)[
          Math.min(selectListedServices(state).length - 1, model.places.services.cursor)
        ]?.spec.name;
      return service === undefined
        ? noChange(model)
        : openScreen({...model, selected: `service/${service}`}, 'workers', state);
    }

    case 'see-moment':
      return openTimelineRow(model, state, now);
    case 'copy-markdown':
      return copyMarkdown(model, state);
    case 'all-events': {
      const next: Model = {...model, showsAllEvents: !model.showsAllEvents};
      return withEffects(next, askTimeline(next));
    }

    case 'search':
      if (model.screen === 'help') return noChange(findKey(model));
      return noChange(openField(model, {what: 'recall'}, 'Search for'));
    case 'open':
      // In the review: what is folded, else a comment on the line.
      if (model.screen === 'review') {
        const folded = model.reviewFocus === 'diff' ? toggleFold(model) : undefined;
        return folded === undefined ? commentLine(model, state, now) : noChange(folded);
      }

      if (model.screen === 'brief') return openBriefRow(model, state, now);
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
      return confirm(model, state, now);
    case 'next-way':
      return nextAcceptWay(model, state);
    case 'stop':
    case 'resume':
    case 'take-over':
    case 'hand-back':
    case 'hand-to-agent':
    case 'check':
    case 'discard':
    case 'approve':
    case 'edit-plan':
    case 'reject-plan':
    case 'option':
    case 'answer':
    case 'grant':
    case 'pick':
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
    case 'tell':
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

function submit(model: Model, isBurst: true | undefined, state: State, now: number): Result {
  const {field} = model;
  if (field === undefined) return noChange(model);
  if (field.for.what !== 'palette') return submitField(model, field, state, now);
  return submitPalette(model, {
    state,
    now,
    isBurst,
    onAction: (closed, action) => handleAction(closed, action, state, now),
  });
}
