import {
  listedServices,
  openRunsOf,
  runOf,
  type RunId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {agentsOf, chosenAgent, nextPlanner} from './agents-of.ts';
import {nextWay} from './accept-run.ts';
import {doing, only, saying, wishing, type Action, type Result} from './action.ts';
import {safeLine} from './cell-text.ts';
import {askForKey, takeBackKey, takeKeyOff} from './choose-key.ts';
import {commentLine, dropComment} from './comment-line.ts';
import type {Deed} from './deed.ts';
import {decideOn} from './do-decision.ts';
import {doPaneDeed} from './do-pane-deed.ts';
import {openField, withText} from './fields.ts';
import type {Confirmation, Model, ScreenName} from './model.ts';
import {missingDependencies} from './missing-dependencies.ts';
import {nameModel, nextModel} from './models-of.ts';
import {move, select, stepFile} from './move.ts';
import {neighbourOf} from './needs-queue.ts';
import {ask, askTimeline, goBack, openScreen, review, showNeed} from './open-screen.ts';
import {paletteOf} from './palette.ts';
import {recordingOf} from './recording-of.ts';
import {sendComments} from './send-comments.ts';
import {changedSetting, settingRows} from './setting-rows.ts';
import {isInGrace} from './shown-of.ts';
import {submitField} from './submit-field.ts';
import {emptyField, fieldOf} from './text-field.ts';
import {withSettings} from './with-settings.ts';

type Done = Extract<Action, {type: 'deed'}>;

/** What follows from a key that means something here. */
export function doDeed(
  model: Model,
  {does, chord, isGraced, isHurried}: Done,
  state: State,
  now: number,
): Result {
  // A text that was pasted where a terminal does not mark it as such, or keys that were pressed before the screen was seen.
  if (isHurried === true && (isGraced || deciding.has(does)))
    return only(
      saying(
        model,
        'Several keys came at once, and none of them decides anything. Look again, and press it by itself.',
        now,
      ),
    );
  if (isGraced && isInGrace(model, now))
    return only(
      saying(model, 'The screen has just changed. Look again, and press it once more.', now),
    );
  switch (does) {
    case 'quit':
      return doing(model, {type: 'quit'});
    case 'suspend':
    case 'redraw':
      return doing(model, {type: does});
    case 'back':
      return goBack(model, state);
    case 'help':
      return openScreen(model, 'help', state);
    case 'palette':
      return only({
        ...openField(model, {what: 'palette'}, ''),
        places: {...model.places, palette: {cursor: 0, top: 0}},
      });
    case 'next-need':
    case 'previous-need':
      return toNeed(model, does === 'next-need' ? 1 : -1, state, now);
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
      return openScreen(model, does.slice('screen-'.length) as ScreenName, state);
    case 'see-plan':
      return openScreen(model, 'plan', state);
    case 'see-diff':
      return openScreen(model, 'review', state);
    case 'new-objective':
    case 'write-objective':
      return writeObjective(model, state);
    case 'share-dependencies': {
      const missing = missingDependencies(model);
      return missing.length === 0
        ? only(model)
        : doing(
            saying(
              model,
              `Asks for ${missing
                .map(({path}) => safeLine(path))
                .slice(0, 3)
                .join(', ')} in every worktree …`,
              now,
            ),
            ask('share', {about: 'share', paths: missing.map(({path}) => path)}),
          );
    }

    case 'prepare-repository':
      return model.repository.trouble === undefined
        ? only(model)
        : only({
            ...model,
            asking: prepareQuestion(model.repository.name, model.repository.trouble),
          });
    case 'older':
    case 'newer':
      return only(recallObjective(model, does === 'older' ? -1 : 1));
    case 'next-agent': {
      const agents = agentsOf(model, state);
      return only({
        ...model,
        agent:
          agents[
            (agents.indexOf(chosenAgent(model, state) ?? '') + 1) % Math.max(1, agents.length)
          ] ?? model.agent,
      });
    }

    case 'next-planner':
      return only(nextPlanner(model, state));
    case 'next-skill':
      return only(nextSkill(model, now));
    case 'queue-objective':
      return model.field?.for.what === 'objective'
        ? submitField(model, model.field, state, now, {isQueued: true})
        : only(model);
    case 'next-model':
    case 'next-planner-model':
      return nextModel(model, does === 'next-model' ? 'worker' : 'planner', state, now);
    case 'name-model':
    case 'name-planner-model':
      return nameModel(model, does === 'name-model' ? 'worker' : 'planner', state, now);
    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'first':
    case 'last':
      return move(model, does, state, now);
    case 'comment-line':
      return commentLine(model, state, now);
    case 'other-side':
      return only({...model, side: model.side === 'files' ? 'diff' : 'files'});
    case 'next-file':
    case 'previous-file':
      return only(stepFile({...model, side: 'diff'}, does === 'next-file' ? 'down' : 'up'));
    case 'drop-comment':
      return dropComment(model, state, now);
    case 'send-comments':
      return sendComments(model, state, now);
    case 'next-subject':
      return nextSubject(model, state);
    case 'see-pane': {
      const service =
        listedServices(state)[
          Math.min(listedServices(state).length - 1, model.places.services.cursor)
        ]?.spec.name;
      return service === undefined
        ? only(model)
        : openScreen({...model, selected: `service/${service}`}, 'workers', state);
    }

    case 'see-moment':
      return seeMoment(model, state, now);
    case 'all-events': {
      const next: Model = {...model, showsAllEvents: !model.showsAllEvents};
      return doing(next, askTimeline(next));
    }

    case 'search':
      return only(openField(model, {what: 'recall'}, 'Search for'));
    case 'open':
      return only({
        ...model,
        side: 'diff',
        places: {...model.places, reading: {cursor: 0, top: 0}},
      });
    case 'change-setting': {
      // Behind the settings that have a few values stand the keys, which have a screen of their own.
      const row = settingRows[Math.max(0, model.places.settings.cursor)];
      return row === undefined
        ? openScreen(model, 'keys', state)
        : only(withSettings(model, changedSetting(model.settings, row.name)));
    }

    case 'change-key':
      return only(askForKey(model, now));
    case 'usual-key':
      return only(takeBackKey(model, now));
    case 'no-key':
      return only(takeKeyOff(model, now));
    case 'keep-key':
      return only({...model, pressing: undefined});

    case 'submit':
      return submit(model, isHurried, state, now);
    case 'leave-field':
      // Behind the name of a model the objective goes on.
      return only({
        ...model,
        field: model.field?.for.what === 'model' ? model.field.for.objective : undefined,
      });
    case 'leave-confirm':
      return only({...model, asking: undefined});
    case 'confirm':
      return confirm(model, now);
    case 'next-way':
      return nextWay(model, state);
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
      return decideOn(model, does, chord, state, now);
    default:
      return doPaneDeed(model, does, chord, state, now);
  }
}

/** What changes something though it needs no grace: it can be taken back, or begins with a line to be written. */
const deciding: ReadonlySet<Deed> = new Set<Deed>([
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

function toNeed(model: Model, step: 1 | -1, state: State, now: number): Result {
  // From another screen the one that was in view comes back first, if it still waits.
  const isThere = model.screen === 'needs';
  const need = neighbourOf(state, isThere ? model.need : undefined, step);
  if (need === undefined)
    return isThere
      ? only({...model, need: undefined})
      : only(saying(model, 'Nothing needs you.', now, 'good'));
  const opened = isThere ? only(model) : openScreen({...model, need}, 'needs', state);
  return showNeed(opened.model, need);
}

function writeObjective(model: Model, state: State): Result {
  const opened = model.screen === 'start' ? only(model) : openScreen(model, 'start', state);
  return model.repository.trouble === undefined
    ? {...opened, model: openField(opened.model, {what: 'objective'}, '', emptyField)}
    : opened;
}

/** None, then each of the repository's. */
function nextSkill(model: Model, now: number): Model {
  const skills = ['', ...(model.answers.skills ?? [])];
  if (skills.length === 1)
    return saying(
      model,
      'This repository has no skills. One is a folder with a SKILL.md in .orchestra/skills.',
      now,
    );
  return {...model, skill: skills[(skills.indexOf(model.skill) + 1) % skills.length] ?? ''};
}

function prepareQuestion(name: string, what: 'no-git' | 'no-commits'): Confirmation {
  const question =
    what === 'no-git' ? `Make ${name} a git repository?` : `Make the first commit of ${name}?`;
  return {
    question,
    lines: [
      'All that is in it, but what a .gitignore leaves out, goes into that commit. Your files are not changed.',
    ],
    yes: {does: 'prepare', what},
  };
}

function recallObjective(model: Model, by: 1 | -1): Model {
  const {field, objectives} = model;
  if (field === undefined) return model;
  const at = (field.older ?? objectives.length) + by;
  if (at >= objectives.length) return openField(model, field.for, field.label);
  const text = objectives[Math.max(0, at)];
  return text === undefined
    ? model
    : withText({...model, field: {...field, older: Math.max(0, at)}}, fieldOf(text));
}

/** In the review: the run, then each of its tasks that has tried something. In the audit: the next run. */
function nextSubject(model: Model, state: State): Result {
  if (model.screen === 'audit') {
    const runs = openRunsOf(state).map(({id}) => id);
    const run = runs[(runs.indexOf(model.run ?? 'r0') + 1) % Math.max(1, runs.length)];
    return run === undefined
      ? only(model)
      : doing({...model, run}, ask('audit', {about: 'audit', run}));
  }

  const run = model.run === undefined ? undefined : runOf(state, model.run);
  if (run === undefined) return only(model);
  const all: (RunId | TaskId)[] = [
    run.id,
    ...run.tasks.filter(({attempts}) => attempts.length > 0).map(({id}) => id),
  ];
  return review(model, all[(all.indexOf(model.subject ?? run.id) + 1) % all.length]);
}

function seeMoment(model: Model, state: State, now: number): Result {
  const entries = model.answers.timeline?.entries ?? [];
  const entry = entries[Math.min(entries.length - 1, model.places.timeline.cursor)];
  const session = entry === undefined ? undefined : recordingOf(state, entry);
  if (entry === undefined || session === undefined)
    return only(
      saying(
        model,
        'This happened in no terminal. Entries that name a session at their end have a recording.',
        now,
      ),
    );
  return doing(model, {type: 'replay', session, at: entry.at});
}

function submit(model: Model, isHurried: true | undefined, state: State, now: number): Result {
  const {field} = model;
  if (field === undefined) return only(model);
  if (field.for.what !== 'palette') return submitField(model, field, state, now);
  const entries = paletteOf(model, state);
  const entry = entries[Math.min(entries.length - 1, model.places.palette.cursor)];
  const closed: Model = {...model, field: undefined};
  if (entry === undefined) return only(closed);
  if ('does' in entry)
    return doDeed(
      closed,
      {
        type: 'deed',
        does: entry.does,
        chord: entry.chord,
        isGraced: entry.isGraced,
        ...(isHurried === undefined ? {} : {isHurried}),
      },
      state,
      now,
    );
  return select(openScreen(closed, 'workers', state).model, entry.goes, state);
}

function confirm(model: Model, now: number): Result {
  const {asking} = model;
  if (asking === undefined) return only(model);
  const closed: Model = {...model, asking: undefined};
  const {yes} = asking;
  if (yes.does === 'prepare') return doing(closed, {type: 'prepare-repository', what: yes.what});
  if (yes.does === 'propose')
    return doing(saying(closed, `The branch of ${yes.run} is pushed …`, now), {
      type: 'propose',
      run: yes.run,
    });
  if (yes.does === 'refresh-environment')
    return wishing(closed, {type: 'refresh-environment', run: yes.run});
  if (yes.does === 'reset') return wishing(closed, {type: 'reset-task', task: yes.task});
  if (yes.does === 'accept')
    return wishing(closed, {
      type: 'accept-run',
      run: yes.run,
      commit: yes.commit,
      way: yes.way,
      ...(yes.into === undefined ? {} : {into: yes.into}),
    });
  return wishing(
    closed,
    yes.does === 'discard' ? {type: 'discard', what: yes.what} : {type: 'stop', what: yes.what},
  );
}
