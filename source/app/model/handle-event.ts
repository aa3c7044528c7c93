import {canWriteObjective, selectAgentsHere} from './agent-choice.ts';
import {getPlanContext} from '../../project-config/index.ts';
import {confirmEnvironment} from './confirmations.ts';
import {formatProblems, without} from '../../shared/index.ts';
import {formatPlanFile, parsePlanFile, planHash} from '../../plan/index.ts';
import {
  type Event,
  type RunId,
  selectLiveSessions,
  selectNeeds,
  selectRun,
  selectRuns,
  type State,
  type UserCommand,
} from '../../domain/index.ts';
import type {UiEvent} from '../app-contract.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withEffects,
  withFieldText,
  withNotice,
} from './action.ts';
import {settleDiffComments, settlePlanComment} from './comments.ts';
import {firstRow, focusedPane, rowOfNeed} from './pane-grid.ts';
import {sidebarRows} from './sidebar-rows.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from './model.ts';
import {focusRow} from './move.ts';
import {askCard} from './accepted-run.ts';
import {comeBack, settleArrival} from './coming-back.ts';
import {askSharing, enterScreen} from './open-screen.ts';
import {followPlan} from './follow-plan.ts';
import {handleGranted} from './handle-granted.ts';
import {handleRulesWritten} from './starter-rules.ts';
import {handleMouse} from './handle-mouse.ts';
import {addRefusal} from './answers.ts';
import {handleAnswered} from './handle-answered.ts';
import {noticePaste} from './pasted-files.ts';
import {markStale, refresh} from './refresh.ts';
import {insert, maxCharacters} from './text-field.ts';
import {explainTypingRejected, leaveTyping} from './typing.ts';

/** Handles an event. It never replaces what the person is reading or writing. */
export function handleEvent(model: Model, event: UiEvent, state: State, now: number): Result {
  switch (event.type) {
    case 'connected':
      return handleConnected({...model, connection: {at: 'live'}, journal: undefined}, state);
    case 'disconnected':
      return noChange({
        ...leaveTyping(model),
        connection: {at: 'lost', text: event.text},
      });
    case 'viewports-changed':
      return noChange({...model, viewports: event.viewports});
    case 'journal-changed':
      return noChange({...model, journal: event.journal});
    case 'event-heard':
      return followPlan(
        withCard(
          withFirstReview(
            notifyNeeds(markStale(handleAccepted(model, event.event, now)), state),
            state,
          ),
          event.event,
        ),
        event.event,
        state,
      );
    case 'wish-granted':
      return handleGranted(
        settleDiffComments(model, event.wish, true),
        event.wish,
        event.answer,
        state,
        now,
      );
    case 'wish-refused':
      return noChange(withNotice(handleRejected(model, event.wish), event.text, now, 'bad'));
    case 'edit-failed':
      return noChange(withNotice(model, event.text, now, 'bad'));
    case 'answered':
      if (event.name === 'share')
        return withEffects(
          withNotice(
            model,
            'Shared: it stands in .orchestra/project.yaml, and is brought into the worktrees.',
            now,
            'good',
          ),
          askSharing,
        );
      if (event.name.startsWith('environment/'))
        return noChange(confirmEnvironment(model, event.value, now));
      return handleAnswered(model, event, state, now);
    case 'refused':
      if (event.name === 'brief') return settleArrival(model, state);
      if (event.name === 'share') return noChange(withNotice(model, event.text, now, 'bad'));
      if (event.name.startsWith('environment/'))
        return noChange(withNotice(model, event.text, now, 'bad'));
      return noChange({...model, answers: addRefusal(model.answers, event.name, event.text)});
    case 'pasted':
      return noChange(handlePaste(model, event.text, state, now));
    case 'mouse-used':
      return handleMouse(model, event, state, now);
    case 'terminal-colours':
      return noChange({...model, terminalColours: event.colours});
    case 'resized':
      return noChange({...model, size: event.size});
    case 'files-pasted':
    case 'image-pasted':
    case 'paste-failed':
      return noChange(noticePaste(model, event, now));
    case 'typing-left':
      return noChange(leaveTyping(model));
    case 'pane-changed':
      return noChange(handlePaneChanged(model, event.session, event.view, state));
    case 'copied':
      return noChange(withNotice(model, `Copied ${event.text.length} characters.`, now, 'good'));
    case 'edited':
      return handleEdited(model, event.name, event.text, state, now);
    case 'handed-back':
      return noChange(event.text === undefined ? model : withNotice(model, event.text, now));
    case 'proposed':
      return noChange(
        'url' in event.outcome
          ? withNotice(model, `The pull request of ${event.run}: ${event.outcome.url}`, now, 'good')
          : withNotice(model, event.outcome.rejected, now, 'bad'),
      );
    case 'repository-prepared':
      return noChange(
        event.text === undefined
          ? handlePrepared(model, state, now)
          : withNotice(model, event.text, now, 'bad'),
      );
    case 'rules-written':
      return noChange(handleRulesWritten(model, event.text, now));
    case 'demo-failed':
      return noChange(withNotice(model, `The demo could not be made: ${event.text}`, now, 'bad'));
    case 'focus-changed':
      return noChange({...model, isAway: !event.isFocused});
    case 'time-passed':
      return refresh(model, state, now);
    case 'pane-ended':
      return noChange(model);
  }
}

function handleRejected(model: Model, command: UserCommand): Model {
  if (command.type === 'start-session') return {...model, opening: undefined};
  return command.type === 'comment-plan'
    ? settlePlanComment(model, command, false)
    : settleDiffComments(model, command, false);
}

/** Accepting takes a while, so its end is announced. */
function handleAccepted(model: Model, event: Event, now: number): Model {
  return event.type === 'run-accepted'
    ? withNotice(
        model,
        `${event.run} is in ${event.into ?? 'your branch'}${event.already === true ? ' already' : ''}.`,
        now,
        'good',
      )
    : model;
}

/** Requests the card of a run that the person has accepted here. */
function withCard(result: Result, event: Event): Result {
  return event.type === 'run-accepted' && event.run === result.model.acceptingRun
    ? {...result, effects: [...result.effects, askCard(event.run)]}
    : result;
}

/** A review that was opened before there was anything to compare loads its diff once there is. */
function withFirstReview(result: Result, state: State): Result {
  const {model, commands, effects} = result;
  if (model.screen !== 'review' || model.subject !== undefined) return result;
  const entered = enterScreen(model, state);
  return {
    model: entered.model,
    commands: [...commands, ...entered.commands],
    effects: [...effects, ...entered.effects],
  };
}

/** Pastes into the open field. Without one, pasted text must not act as keys. */
function handlePaste(model: Model, text: string, state: State, now: number): Model {
  const {field} = model;
  if (field === undefined || model.confirmation !== undefined)
    return withNotice(
      model,
      'There is no line to paste into. ' +
        `${typingHint(model, state)}${keyFor(model, 'new-objective')} writes an objective.`,
      now,
    );
  const next = withFieldText(model, insert(field, text, {isExact: field.for.what === 'secret'}));
  return field.text.length + text.length > maxCharacters
    ? withNotice(
        next,
        `A line holds ${maxCharacters} characters; the rest of what you pasted is left out.`,
        now,
        'bad',
      )
    : next;
}

/** Empty if the focused pane reads no input. */
function typingHint(model: Model, state: State): string {
  const session = focusedPane(model, state)?.session;
  return session === undefined || explainTypingRejected(model, session, state) !== undefined
    ? ''
    : `${keyFor(model, 'type', 'workers')} types into the pane, `;
}

/**
 * At the start: the objective if nothing exists yet, else the brief, with the saved screen behind
 * it. Later: the same screen again.
 */
function handleConnected(model: Model, state: State): Result {
  const {remembered} = model;
  const notifiedNeedIds = selectNeeds(state).map(({id}) => id);
  if (remembered === undefined) return enterScreen({...model, notifiedNeedIds}, state);
  const current: Model = {...model, notifiedNeedIds, remembered: undefined};
  if (selectRuns(state).length === 0 && selectLiveSessions(state).length === 0) {
    const start: Model = {...current, screen: 'start', trail: ['workers'], selected: ''};
    return enterScreen(
      canWriteObjective(model, state) ? openField(start, {what: 'objective'}, '') : start,
      state,
    );
  }

  const isThere = sidebarRows(state, state.at).some(({key}) => key === current.selected);
  const focused: Model = isThere
    ? current
    : {...current, selected: firstRow(state), isZoomed: false};
  return comeBack({...focused, trail: [remembered.screen]}, state);
}

function handlePrepared(model: Model, state: State, now: number): Model {
  // Agents and rules stay properties that are read when they are shown.
  const properties = without(Object.getOwnPropertyDescriptors(model.repository), 'trouble');
  const repository = Object.defineProperties({}, properties) as Model['repository'];
  const next = withNotice(
    {...model, repository},
    'Ready: git has a first commit to begin from.',
    now,
    'good',
  );
  return model.screen === 'start' && canWriteObjective(next, state)
    ? openField(next, {what: 'objective'}, '')
    : next;
}

/** Rings once for each new need, and focuses it if the person wants that and is not writing. */
function notifyNeeds(model: Model, state: State): Result {
  const needs = selectNeeds(state);
  const fresh = needs.filter(({id}) => !model.notifiedNeedIds.includes(id));
  const next: Model = {...model, notifiedNeedIds: needs.map(({id}) => id)};
  if (fresh.length === 0) return noChange(next);
  const {notify, followsNeedy} = model.settings;
  const effects = notificationEffects(notify, needs.length, model.repository.name);
  const [first] = fresh;
  const isFree =
    model.mode === 'command' &&
    model.field === undefined &&
    model.confirmation === undefined &&
    model.screen === 'workers';
  const row = rowOfNeed(first, state);
  if (!followsNeedy || !isFree || row === undefined) return {model: next, commands: [], effects};
  const followed = focusRow(next, row.key, state);
  return {...followed, effects: [...followed.effects, ...effects]};
}

/**
 * Stores the view of a pane. The scroll position is saved by row, because a row outlives its
 * session.
 */
function handlePaneChanged(
  model: Model,
  session: string,
  view: Model['views'][string],
  state: State,
): Model {
  const key = sidebarRows(state, state.at).find((row) => row.session === session)?.key;
  const scrolled =
    key === undefined || (model.scrolled[key] ?? 0) === view.scroll
      ? model.scrolled
      : {
          ...Object.fromEntries(Object.entries(model.scrolled).filter(([one]) => one !== key)),
          ...(view.scroll === 0 ? {} : {[key]: view.scroll}),
        };
  return {...model, scrolled, views: {...model.views, [session]: view}};
}

function handleEdited(model: Model, name: string, text: string, state: State, now: number): Result {
  const id = /^(r\d+)-plan\.yaml$/.exec(name)?.[1] as RunId | undefined;
  const run = id === undefined ? undefined : selectRun(state, id);
  if (run?.stage.at !== 'reviewing')
    return noChange(
      withNotice(model, 'The plan does not wait any more; your text was not taken.', now, 'bad'),
    );
  if (text.trim() === '' || text === formatPlanFile(run.stage.proposal.plan))
    return noChange(withNotice(model, 'Nothing was changed.', now));
  const {value, problems} = parsePlanFile(
    text,
    getPlanContext(state.project, run.request, selectAgentsHere(model, state)),
  );
  if (value === undefined)
    return noChange(
      withNotice(
        {...model, draft: {run: run.id, text}},
        `Not a plan yet; ${keyFor(model, 'edit-plan')} opens your text again. ` +
          (formatProblems(problems).split('\n', 1)[0] ?? ''),
        now,
        'bad',
      ),
    );
  return withCommands(
    withNotice({...model, draft: undefined}, 'Your plan waits for your approval.', now),
    {
      type: 'edit-plan',
      run: run.id,
      plan: value,
      hash: planHash(value),
    },
  );
}

function notificationEffects(
  notify: Model['settings']['notify'],
  count: number,
  repository: string,
): Result['effects'] {
  if (notify === 'off') return [];
  if (notify === 'bell') return [{type: 'ring'}];
  const text = `${count} ${count === 1 ? 'thing needs' : 'things need'} you in ${repository}`;
  return [{type: 'notify', text}];
}
