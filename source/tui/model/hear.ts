import {askedForEnvironment} from './asked-for-environment.ts';
import {without} from '../../base/index.ts';
import {
  decisionInWords,
  formatProblems,
  planFileOf,
  planHash,
  readPlanFile,
} from '../../documents/index.ts';
import {
  isSessionId,
  liveSessionsOf,
  needsOf,
  runOf,
  runsOf,
  type Event,
  type RunId,
  type State,
  type Wish,
} from '../../domain/index.ts';
import type {UiEvent} from '../seam.ts';
import {doing, only, saying, wishing, type Result} from './action.ts';
import {afterSendingBatch} from './diff-comments.ts';
import {openField, withText} from './fields.ts';
import {firstRow, focusedPane, rowOfNeed} from './focus.ts';
import {houseRows} from './house-rows.ts';
import {keyFor} from './key-for.ts';
import type {Model} from './model.ts';
import {select} from './move.ts';
import {askSharing, comeBack, enterScreen, openScreen} from './open-screen.ts';
import {atTheEnd} from './places.ts';
import {afterSending} from './plan-comments.ts';
import {point} from './point.ts';
import {readAnswer, readRefusal} from './read-answer.ts';
import {grownStale, refresh} from './refresh.ts';
import {reviewFiles} from './review-files.ts';
import {insert, mostCharacters} from './text-field.ts';
import {leaveTyping} from './type-into.ts';
import {typingRefused} from './typing-refused.ts';

/** What follows from something that happened. It never takes away what the person is reading or writing. */
export function hear(model: Model, event: UiEvent, state: State, now: number): Result {
  switch (event.type) {
    case 'connected':
      return arrive({...model, connection: {at: 'live'}, journal: undefined}, state);
    case 'disconnected':
      return only({
        ...model,
        connection: {at: 'lost', words: event.words},
        mode: 'command',
        into: undefined,
        opening: undefined,
      });
    case 'journal-changed':
      return only({...model, journal: event.journal});
    case 'event-heard':
      return withFirstReview(tell(grownStale(arrivedHome(model, event.event, now)), state), state);
    case 'wish-granted':
      return granted(
        afterSendingBatch(model, event.wish, true),
        event.wish,
        event.answer,
        state,
        now,
      );
    case 'wish-refused':
      return only(saying(afterRefusal(model, event.wish), event.words, now, 'bad'));
    case 'edit-failed':
      return only(saying(model, event.words, now, 'bad'));
    case 'answered':
      if (event.name === 'share')
        return doing(
          saying(
            model,
            'Shared: it stands in .orchestra/project.yaml, and is brought into the worktrees.',
            now,
            'good',
          ),
          askSharing,
        );
      if (event.name.startsWith('environment/'))
        return only(askedForEnvironment(model, event.value, now));
      return only(
        withReviewKept(
          model,
          withAnswers(model, readAnswer(model.answers, event.name, event.value, now)),
          now,
        ),
      );
    case 'refused':
      if (event.name === 'share') return only(saying(model, event.words, now, 'bad'));
      if (event.name.startsWith('environment/'))
        return only(saying(model, event.words, now, 'bad'));
      return only({...model, answers: readRefusal(model.answers, event.name, event.words)});
    case 'pasted':
      return only(paste(model, event.text, state, now));
    case 'mouse-used':
      return point(model, event, state, now);
    case 'resized':
      return only({...model, size: event.size});
    case 'typing-left':
      return only(leaveTyping(model));
    case 'pane-changed':
      return only(watched(model, event.session, event.view, state));
    case 'copied':
      return only(saying(model, `Copied ${event.text.length} characters.`, now, 'good'));
    case 'edited':
      return edited(model, event.name, event.text, state, now);
    case 'handed-back':
      return only(event.words === undefined ? model : saying(model, event.words, now));
    case 'proposed':
      return only(
        'url' in event.outcome
          ? saying(model, `The pull request of ${event.run}: ${event.outcome.url}`, now, 'good')
          : saying(model, event.outcome.refused, now, 'bad'),
      );
    case 'repository-prepared':
      return only(
        event.words === undefined ? prepared(model, now) : saying(model, event.words, now, 'bad'),
      );
    case 'focus-changed':
      return only({...model, isAway: !event.isFocused});
    case 'time-passed':
      return refresh(model, state, now);
    case 'pane-ended':
      return only(model);
  }
}

function afterRefusal(model: Model, wish: Wish): Model {
  if (wish.type === 'start-session') return {...model, opening: undefined};
  return wish.type === 'comment-plan'
    ? afterSending(model, wish, false)
    : afterSendingBatch(model, wish, false);
}

/** Bringing it home takes a while: that it is there is news. */
function arrivedHome(model: Model, event: Event, now: number): Model {
  return event.type === 'run-accepted'
    ? saying(
        model,
        `${event.run} is in ${event.into ?? 'your branch'}${event.already === true ? ' already' : ''}.`,
        now,
        'good',
      )
    : model;
}

/** A review that was opened before there was anything to compare shows it when there is. */
function withFirstReview(told: Result, state: State): Result {
  const {model, wishes, effects} = told;
  if (model.screen !== 'review' || model.subject !== undefined) return told;
  const entered = enterScreen(model, state);
  return {
    model: entered.model,
    wishes: [...wishes, ...entered.wishes],
    effects: [...effects, ...entered.effects],
  };
}

function withAnswers(model: Model, answers: Model['answers']): Model {
  if (answers === model.answers) return model;
  const [before, after] = [
    model.answers.timeline?.entries.length ?? 0,
    answers.timeline?.entries.length ?? 0,
  ];
  // Whoever looks at the latest entry goes on looking at the latest.
  const isAtEnd =
    answers.timeline !== model.answers.timeline &&
    model.places.timeline.cursor >= before - 1 &&
    after > before;
  return {...model, answers, ...(isAtEnd ? {places: {...model.places, timeline: atTheEnd}} : {})};
}

/** What is reviewed has changed under the person: they are told, and stay at the file that they read, as long as it is there. */
function withReviewKept(before: Model, after: Model, now: number): Model {
  const [old, diff] = [before.answers.diff, after.answers.diff];
  if (
    old === diff ||
    old === undefined ||
    diff === undefined ||
    !('value' in old) ||
    !('value' in diff) ||
    old.of !== diff.of ||
    old.value.to === diff.value.to ||
    after.subject !== diff.of
  )
    return after;
  const path = reviewFiles(before)[before.places.files.cursor]?.path;
  const at = reviewFiles(after).findIndex((file) => file.path === path);
  const places =
    at === -1
      ? {...after.places, files: {cursor: 0, top: 0}, diff: {cursor: 0, top: 0}}
      : {...after.places, files: {...after.places.files, cursor: at}};
  return saying(
    {...after, places},
    `${diff.of} has changed since you looked: this is ${diff.value.to.slice(0, 12)}.`,
    now,
  );
}

/** Into the line that is written; where there is none, it must not act as keys do. */
function paste(model: Model, text: string, state: State, now: number): Model {
  const {field} = model;
  if (field === undefined || model.asking !== undefined)
    return saying(
      model,
      `There is no line to paste into. ${typingHint(model, state)}${keyFor(model, 'new-objective')} writes an objective.`,
      now,
    );
  const next = withText(model, insert(field, text));
  return field.text.length + text.length > mostCharacters
    ? saying(
        next,
        `A line holds ${mostCharacters} characters; the rest of what you pasted is left out.`,
        now,
        'bad',
      )
    : next;
}

/** Only where it can be typed into. */
function typingHint(model: Model, state: State): string {
  const session = focusedPane(model, state)?.session;
  return session === undefined || typingRefused(model, session, state) !== undefined
    ? ''
    : `${keyFor(model, 'type', 'workers')} types into the pane, `;
}

/** The first time: the objective where there is nothing yet, else the brief, and behind it the place that was left. Later: the same place again. */
function arrive(model: Model, state: State): Result {
  const {remembered} = model;
  const told = needsOf(state).map(({id}) => id);
  if (remembered === undefined) return enterScreen({...model, told}, state);
  const here: Model = {...model, told, remembered: undefined};
  if (runsOf(state).length === 0 && liveSessionsOf(state).length === 0) {
    const start: Model = {...here, screen: 'start', trail: ['workers'], selected: ''};
    return enterScreen(
      model.repository.trouble === undefined ? openField(start, {what: 'objective'}, '') : start,
      state,
    );
  }

  const isThere = houseRows(state, state.at).some(({key}) => key === here.selected);
  const placed: Model = isThere ? here : {...here, selected: firstRow(state), isZoomed: false};
  return comeBack({...placed, trail: [remembered.screen]}, state);
}

function prepared(model: Model, now: number): Model {
  const repository = without(model.repository, 'trouble');
  const next = saying(
    {...model, repository},
    'Ready: git has a first commit to begin from.',
    now,
    'good',
  );
  return model.screen === 'start' ? openField(next, {what: 'objective'}, '') : next;
}

/** Rings once for each new need, and follows it if that is wanted and nobody is writing. */
function tell(model: Model, state: State): Result {
  const needs = needsOf(state);
  const fresh = needs.filter(({id}) => !model.told.includes(id));
  const next: Model = {...model, told: needs.map(({id}) => id)};
  if (fresh.length === 0) return only(next);
  const {notify, followsNeedy} = model.settings;
  const effects: Result['effects'] =
    notify === 'off'
      ? []
      : notify === 'bell'
        ? [{type: 'ring'}]
        : [
            {
              type: 'notify',
              words: `${needs.length} ${needs.length === 1 ? 'thing needs' : 'things need'} you in ${model.repository.name}`,
            },
          ];
  const [first] = fresh;
  const isFree =
    model.mode === 'command' &&
    model.field === undefined &&
    model.asking === undefined &&
    model.screen === 'workers';
  const row = rowOfNeed(first, state);
  if (!followsNeedy || !isFree || row === undefined) return {model: next, wishes: [], effects};
  const followed = select(next, row.key, state);
  return {...followed, effects: [...followed.effects, ...effects]};
}

function granted(model: Model, wish: Wish, answer: unknown, state: State, now: number): Result {
  switch (wish.type) {
    case 'start-run': {
      const run = eventsIn(answer).find((event) => event.type === 'run-created')?.run;
      return openScreen(
        {...model, isZoomed: false, selected: run ?? model.selected},
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
      return only(saying(model, `The agent of ${wish.task} begins anew.`, now));
    case 'move-in-queue':
      return only(saying(model, `${wish.run} is number ${wish.position} in the queue.`, now));
    case 'approve-plan':
      return openScreen(
        {
          ...saying(model, `Approved. The workers of ${wish.run} start.`, now, 'good'),
          selected: firstTaskOf(state, wish.run),
          isZoomed: false,
        },
        'workers',
        state,
      );
    case 'reject-plan':
    case 'plan-again':
      return openScreen(
        {...saying(model, `${wish.run} is planned again.`, now), selected: wish.run},
        'workers',
        state,
      );
    case 'comment-plan':
      return only(afterSending(model, wish, true));
    case 'take-over':
      return openScreen(
        {
          ...saying(
            model,
            `${wish.task} is in your hands. ${keyFor(model, 'hand-back')} hands it back to be checked, ${keyFor(model, 'hand-to-agent')} to its agent.`,
            now,
          ),
          selected: wish.task,
          terminal: undefined,
        },
        'workers',
        state,
      );
    case 'hand-back':
      return only(
        saying(
          model,
          wish.to === 'agent'
            ? `The agent of ${wish.task} goes on.`
            : `${wish.task} is being checked.`,
          now,
        ),
      );
    case 'resume':
      return only(
        saying(
          model,
          eventsIn(answer).some(({type}) => type === 'pause-ended')
            ? `${wish.what} tries its agent now.`
            : `${wish.what} goes on.`,
          now,
        ),
      );
    case 'extend-budget':
      return only(saying(model, `${wish.run} goes on, with more to spend.`, now, 'good'));
    case 'choose-baseline':
      return only(
        saying(
          model,
          `${wish.check}: ${decisionInWords[wish.choice]}.${wish.choice === 'mend' ? ' The plan has its task; read it before you approve.' : ''}`,
          now,
          'good',
        ),
      );
    case 'baseline-again':
      return only(saying(model, `The base of ${wish.run} is checked again.`, now));
    case 'refresh-environment':
      return only(
        saying(
          model,
          `Sessions of ${wish.run} that begin from now on get the environment of your shell.`,
          now,
          'good',
        ),
      );
    case 'adopt-branch':
      return only(saying(model, `${wish.run} goes on from what you took over.`, now, 'good'));
    case 'restore-branch':
      return only(saying(model, `The branch of ${wish.run} is put back.`, now));
    case 'accept-run':
      return only(saying(model, `${wish.run} is being brought into your branch.`, now, 'good'));
    case 'grant-attempt':
      return only(saying(model, `${wish.task} gets one more attempt.`, now, 'good'));
    case 'discard':
      return only(saying(model, `${wish.what} is discarded; what was done is kept.`, now));
    case 'stop':
      // A command that was ended is not taken up again.
      return only(
        saying(
          model,
          isSessionId(wish.what)
            ? `${wish.what} is stopped.`
            : `${wish.what} is stopped. ${keyFor(model, 'resume', 'workers')} resumes it.`,
          now,
        ),
      );
    default:
      return only(model);
  }
}

/** What a wish brought about, as the daemon answers it. */
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

/** The first one that can begin: its terminal comes into view by itself. */
function firstTaskOf(state: State, id: RunId): string {
  return runOf(state, id)?.tasks.find(({planned}) => planned.after.length === 0)?.id ?? id;
}

/** What a pane tells of itself; how far it looks back is remembered under its row, which outlives the session. */
function watched(model: Model, session: string, view: Model['views'][string], state: State): Model {
  const key = houseRows(state, state.at).find((row) => row.session === session)?.key;
  const scrolled =
    key === undefined || (model.scrolled[key] ?? 0) === view.scroll
      ? model.scrolled
      : {
          ...Object.fromEntries(Object.entries(model.scrolled).filter(([one]) => one !== key)),
          ...(view.scroll === 0 ? {} : {[key]: view.scroll}),
        };
  return {...model, scrolled, views: {...model.views, [session]: view}};
}

function edited(model: Model, name: string, text: string, state: State, now: number): Result {
  const id = /^(r\d+)-plan\.yaml$/.exec(name)?.[1] as RunId | undefined;
  const run = id === undefined ? undefined : runOf(state, id);
  if (run?.stage.at !== 'reviewing')
    return only(
      saying(model, 'The plan does not wait any more; your text was not taken.', now, 'bad'),
    );
  if (text.trim() === '' || text === planFileOf(run.stage.proposal.plan))
    return only(saying(model, 'Nothing was changed.', now));
  const {value, problems} = readPlanFile(text, {
    objective: run.request.objective,
    tools: (state.project.tools ?? []).map(({name}) => name),
  });
  if (value === undefined)
    return only(
      saying(
        {...model, draft: {run: run.id, text}},
        `Not a plan yet; ${keyFor(model, 'edit-plan')} opens your text again. ${formatProblems(problems).split('\n', 1)[0] ?? ''}`,
        now,
        'bad',
      ),
    );
  return wishing(saying({...model, draft: undefined}, 'Your plan waits for your approval.', now), {
    type: 'edit-plan',
    run: run.id,
    plan: value,
    hash: planHash(value),
  });
}
