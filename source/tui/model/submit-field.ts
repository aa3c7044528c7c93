import {limitsOf} from '../../documents/index.ts';
import type {RunBudget, RunRequest, State} from '../../domain/index.ts';
import {agentsOf, chosenAgent} from './agents-of.ts';
import {doing, only, saying, wishing, type Result} from './action.ts';
import {mostObjectives} from './memory.ts';
import type {Model, OpenField} from './model.ts';
import {ask} from './open-screen.ts';

/** What was written goes where it was meant for. Nothing that was written is lost: when it cannot be taken the field stays open. */
export function submitField(model: Model, field: OpenField, state: State, now: number): Result {
  const text = field.text.trim();
  const closed: Model = {...model, field: undefined};
  const purpose = field.for;
  const missing = (words: string): Result => only(saying(model, words, now));
  switch (purpose.what) {
    case 'objective':
      if (text === '') return missing('Say what should be different.');
      return begin(closed, text, state, now) ?? missing('No agent is installed, and the project declares none. `orchestra doctor` says which there are.');
    case 'answer':
      if (purpose.asked !== undefined) return text === '' ? missing('The agent waits for words.') : wishing(saying(closed, `${purpose.session} has your answer.`, now), {type: 'answer-question', session: purpose.session, number: purpose.asked, text});
      return wishing(saying(closed, `Sent to ${purpose.session}.`, now), {type: 'send-input', session: purpose.session, text: `${field.text}\r`});
    case 'hint':
      return wishing(closed, {type: 'grant-attempt', task: purpose.task, ...(text === '' ? {} : {hint: text})});
    case 'reject':
      return text === '' && !field.label.includes('comments') ? missing('A reason helps the planner. Escape keeps the plan.') : wishing(closed, {type: 'reject-plan', run: purpose.run, plan: purpose.plan, reason: text});
    case 'plan-again':
      return wishing(closed, {type: 'plan-again', run: purpose.run, ...(text === '' ? {} : {reason: text})});
    case 'comment-plan':
      return text === '' ? only(closed) : wishing(saying(closed, 'The planner gets it with your reason when you reject the plan.', now), {type: 'comment-plan', run: purpose.run, line: purpose.line, text});
    case 'comment-diff': {
      const {of, path, line, text: source} = purpose;
      const others = model.comments.filter((one) => one.of !== of || one.path !== path || one.line !== line || one.source !== source);
      return only({...closed, comments: text === '' ? others : [...others, {of, path, line, source, text}]});
    }

    case 'search-pane':
      if (text === '') return only(closed);
      return doing({...closed, mode: 'scroll', into: purpose.session}, {type: 'copy-mode', session: purpose.session, isOn: true}, {type: 'search', session: purpose.session, words: text});
    case 'recall':
      return text === '' ? only(closed) : doing({...closed, side: 'files', places: {...closed.places, knowledge: {cursor: 0, top: 0}}}, ask(`recall/${text}`, {about: 'recall', words: text, files: /^\S*[./*]\S*$/.test(text) ? [text] : []}));
    case 'palette':
      return only(closed);
  }
}

function begin(model: Model, objective: string, state: State, now: number): Result | undefined {
  const {repository} = model;
  const {project} = state;
  const agent = chosenAgent(model, state);
  if (agent === undefined) return undefined;
  const planner = agent === agentsOf(model, state)[0] ? (project.planner ?? agent) : agent;
  const request: RunRequest = {objective, worker: agent, planner, queued: false, ...(repository.checkout === undefined ? {} : {checkout: repository.checkout})};
  const objectives = [...model.objectives.filter((one) => one !== objective), objective].slice(-mostObjectives);
  return wishing(saying({...model, objectives}, 'The planner begins.', now), {type: 'start-run', request, budget: budgetOf(project)});
}

function budgetOf(project: State['project']): RunBudget {
  const {attemptMinutes, attemptTokens, runTokens} = limitsOf(project);
  return {attemptWallClock: attemptMinutes * 60_000, ...(attemptTokens === undefined ? {} : {attemptTokens}), ...(runTokens === undefined ? {} : {tokens: runTokens})};
}
