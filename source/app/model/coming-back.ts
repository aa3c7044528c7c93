import {type Need, selectNeeds, type State} from '../../domain/index.ts';
import {selectBriefRows} from '../select/brief-rows.ts';
import {noChange, type Result, withEffects} from './action.ts';
import type {Answers, Model} from './model.ts';
import {focusRow} from './move.ts';
import {askDaemon, enterScreen, goBack, openScreen, showNeed} from './open-screen.ts';

/**
 * Opens the brief at the start; its answer decides whether it stays. Requesting it reports that the
 * person is present.
 */
export function comeBack(model: Model, state: State): Result {
  const {model: entered} = enterScreen({...model, screen: 'brief'}, state);
  return withEffects({...entered, isArriving: true}, askDaemon('brief', {about: 'brief'}));
}

/**
 * The daemon has answered. Without an absence, or if nothing happened, the screen where the person
 * was is shown instead of the brief.
 */
export function settleArrival(model: Model, state: State): Result {
  if (!model.isArriving) return noChange(model);
  const settled: Model = {
    ...model,
    isArriving: false,
    places: {...model.places, brief: {cursor: 0, top: 0}},
  };
  return model.screen !== 'brief' || isWorthReading(model.answers.brief)
    ? noChange(settled)
    : goBack(settled, state);
}

/** The first visit, and one after less than ten minutes, have no `awayMs`. */
function isWorthReading(brief: Answers['brief']): boolean {
  return brief?.view?.awayMs !== undefined && brief.needs.length + brief.happened.length > 0;
}

/** Opens what the cursor of the brief is on. What leads nowhere continues where the person was. */
export function openBriefRow(model: Model, state: State, now: number): Result {
  const rows =
    model.answers.brief === undefined ? [] : selectBriefRows(state, model.answers.brief, now);
  const row = rows[Math.min(rows.length - 1, Math.max(0, model.places.brief.cursor))];
  if (row?.kind === 'need') return openNeed(model, row.need.id, state);
  if (row?.kind === 'merged' || row?.kind === 'running')
    return focusRow(openScreen(model, 'workers', state).model, row.task, state);
  return goBack(model, state);
}

function openNeed(model: Model, id: Need['id'], state: State): Result {
  const need = selectNeeds(state).find((one) => one.id === id);
  return showNeed(openScreen({...model, need}, 'needs', state).model, need);
}
