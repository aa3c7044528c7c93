import {isRunId, type RunId, selectRun, type State} from '../../domain/index.ts';
import {type AcceptedCard, formatAcceptedMarkdown} from '../../reports/index.ts';
import type {UiEffect} from '../app-contract.ts';
import {formatCostMarkdown, selectCostView} from '../select/cost-view.ts';
import {noChange, type Result, withEffects} from './action.ts';
import type {Model} from './model.ts';
import {askDaemon, openScreen} from './open-screen.ts';

/** The person accepts a run: its card is shown when that is done, which takes a while. */
export function expectAccepted(model: Model, run: RunId, state: State): Result {
  const next: Model = {...model, acceptingRun: run};
  return selectRun(state, run)?.stage.at === 'accepted'
    ? withEffects(next, askCard(run))
    : noChange(next);
}

export function askCard(run: string): UiEffect {
  return askDaemon(`accepted/${run}`, {about: 'timeline', run, limit: 1});
}

/** Shows the card that has just come, unless the person is writing. The timeline keeps it. */
export function showExpectedCard(model: Model, state: State): Result {
  const {accepted} = model.answers;
  if (accepted === undefined || accepted.run !== model.acceptingRun) return noChange(model);
  const next: Model = {...model, acceptingRun: undefined};
  const isFree =
    model.mode === 'command' &&
    model.field === undefined &&
    model.confirmation === undefined &&
    model.rebinding === undefined;
  // What was accepted is settled, so closing the card leads to Work and not back to it.
  return isFree
    ? showCard({...next, notice: undefined, screen: 'workers', trail: []}, accepted, state)
    : noChange(next);
}

export function showCard(model: Model, card: AcceptedCard, state: State): Result {
  return openScreen(
    {
      ...model,
      answers: {...model.answers, accepted: card},
      places: {...model.places, accepted: {cursor: 0, top: 0}},
      ...(isRunId(card.run) && {run: card.run}),
    },
    'accepted',
    state,
  );
}

/** The card, or what the run cost, for a pull request or a chat. */
export function copyMarkdown(model: Model, state: State): Result {
  const text = toMarkdown(model, state);
  return text === undefined ? noChange(model) : withEffects(model, {type: 'copy', text});
}

function toMarkdown({screen, run: id, answers}: Model, state: State): string | undefined {
  if (screen === 'accepted')
    return answers.accepted === undefined ? undefined : formatAcceptedMarkdown(answers.accepted);
  const run = id === undefined ? undefined : selectRun(state, id);
  return run === undefined
    ? undefined
    : formatCostMarkdown(run.request.objective, selectCostView(state, run));
}
