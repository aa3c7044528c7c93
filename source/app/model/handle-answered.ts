import {selectTimelineRows} from '../select/timeline-view.ts';
import type {State} from '../../domain/index.ts';
import type {UiEvent} from '../app-contract.ts';
import {showExpectedCard} from './accepted-run.ts';
import {noChange, type Result, withNotice} from './action.ts';
import {addAnswer} from './answers.ts';
import {settleArrival} from './coming-back.ts';
import {selectReviewFiles, toReviewKey} from '../review/select-review.ts';
import {openFile} from './move-in-review.ts';
import type {Model} from './model.ts';
import {atTheEnd, withPlace} from './places.ts';

/** Stores an answer of the daemon. Some of them open or leave a screen. */
export function handleAnswered(
  model: Model,
  {name, value}: Extract<UiEvent, {type: 'answered'}>,
  state: State,
  now: number,
): Result {
  const next = retainReview(
    model,
    withAnswers(model, addAnswer(model.answers, name, value, now)),
    now,
  );
  if (name === 'brief') return settleArrival(next, state);
  return name.startsWith('accepted/') ? showExpectedCard(next, state) : noChange(next);
}

function withAnswers(model: Model, answers: Model['answers']): Model {
  if (answers === model.answers) return model;
  const [before, after] = [
    selectTimelineRows(model.answers.timeline).length,
    selectTimelineRows(answers.timeline).length,
  ];
  // A cursor on the latest row follows new entries.
  const isAtEnd =
    answers.timeline !== model.answers.timeline &&
    model.places.timeline.cursor >= before - 1 &&
    after > before;
  return {...model, answers, ...(isAtEnd ? {places: {...model.places, timeline: atTheEnd}} : {})};
}

/**
 * The diff in view has changed: a notice says so, and the cursor stays at its file if that still
 * exists.
 */
function retainReview(before: Model, after: Model, now: number): Model {
  const [old, diff] = [before.answers.diff, after.answers.diff];
  if (
    old === diff ||
    old === undefined ||
    diff === undefined ||
    !('value' in old) ||
    !('value' in diff) ||
    old.of !== diff.of ||
    old.value.to === diff.value.to ||
    toReviewKey(after) !== diff.of
  )
    return after;
  const path = selectReviewFiles(before)[before.places.files.cursor]?.path;
  const at = selectReviewFiles(after).findIndex((file) => file.path === path);
  const placed =
    at === -1 ? openFile(after, 0) : withPlace(after, 'files', {...after.places.files, cursor: at});
  return withNotice(
    placed,
    `${diff.of} has changed since you looked: this is ${diff.value.to.slice(0, 12)}.`,
    now,
  );
}
