import {limitsOf, modelName, modelProblem} from '../../documents/index.ts';
import {
  isSessionId,
  needsOf,
  runOf,
  type RunBudget,
  type RunRequest,
  type State,
  type Wish,
} from '../../domain/index.ts';
import {inTaskWords} from '../screens/in-task-words.ts';
import {askToAccept} from './accept-run.ts';
import {agentsOf, chosenAgent, plannerFor} from './agents-of.ts';
import {doing, only, saying, wishing, type Result} from './action.ts';
import {keepComment} from './comment-line.ts';
import {keyFor} from './key-for.ts';
import {mostObjectives} from './memory.ts';
import type {FieldPurpose, Model, OpenField} from './model.ts';
import {chosenModel, withModel} from './models-of.ts';
import {ask} from './open-screen.ts';
import {sendingComments} from './plan-comments.ts';

/** What was written goes where it was meant for. Nothing that was written is lost: when it cannot be taken the field stays open. */
export function submitField(
  model: Model,
  field: OpenField,
  state: State,
  now: number,
  {isQueued = false}: {readonly isQueued?: boolean} = {},
): Result {
  const text = field.text.trim();
  const closed: Model = {...model, field: undefined};
  const purpose = field.for;
  const missing = (words: string): Result => only(saying(model, words, now));
  switch (purpose.what) {
    case 'objective':
      if (text === '') return missing('Say what should be different.');
      return begin(closed, text, isQueued, state, now, missing);
    case 'model':
      if (text !== '' && !modelName.isMeant(text))
        return missing(`Expected ${modelName.expectation}, got ${JSON.stringify(text)}.`);
      return only({
        ...withModel(model, purpose.agent, purpose.role, text),
        field: purpose.objective,
      });
    case 'answer':
      // It would be typed into whatever is asked next.
      if (!needsOf(state).some(({id}) => id === purpose.need))
        return missing('This question is settled already; your words were not sent.');
      if (purpose.asked !== undefined)
        return text === ''
          ? missing('The agent waits for words.')
          : wishing(
              saying(closed, `${inTaskWords(purpose.session, state)} has your answer.`, now),
              {type: 'answer-question', session: purpose.session, number: purpose.asked, text},
            );
      return wishing(saying(closed, `Sent to ${inTaskWords(purpose.session, state)}.`, now), {
        type: 'send-input',
        session: purpose.session,
        text: `${field.text}\r`,
      });
    case 'hint':
      return wishing(closed, {
        type: 'grant-attempt',
        task: purpose.task,
        ...(text === '' ? {} : {hint: text}),
      });
    case 'hand-to-agent':
      return wishing(closed, {
        type: 'hand-back',
        task: purpose.task,
        to: 'agent',
        ...(text === '' ? {} : {note: text}),
      });
    case 'reject':
      return reject(closed, purpose, text, state, missing);
    case 'plan-again':
      return wishing(closed, {
        type: 'plan-again',
        run: purpose.run,
        ...(text === '' ? {} : {reason: text}),
      });
    case 'comment-plan':
    case 'comment-diff':
      return keepComment(model, field, state, now);
    case 'note':
      return text === ''
        ? missing('A note needs words. Escape leaves none.')
        : wishing(
            saying(
              closed,
              isSessionId(purpose.on)
                ? `Noted on ${purpose.on}.`
                : `Noted. Who works on ${purpose.on} next reads it.`,
              now,
            ),
            {type: 'add-note', on: purpose.on, text},
          );
    case 'command':
      return wishing(
        {...closed, opening: {from: model.selected, isShell: text === ''}},
        startCommand(model.repository.shell.program, text, purpose.directory),
      );
    case 'search-pane':
      if (text === '') return only(closed);
      return doing(
        {...closed, mode: 'scroll', into: purpose.session},
        {type: 'copy-mode', session: purpose.session, isOn: true},
        {type: 'search', session: purpose.session, words: text},
      );
    case 'recall':
      return text === ''
        ? only(closed)
        : doing(
            {...closed, side: 'files', places: {...closed.places, knowledge: {cursor: 0, top: 0}}},
            ask(`recall/${text}`, {
              about: 'recall',
              words: text,
              files: /^\S*[./*]\S*$/.test(text) ? [text] : [],
            }),
          );
    case 'into': {
      const run = runOf(state, purpose.run);
      if (run === undefined) return only(closed);
      // Without a name it is looked for where the person may have put it themselves.
      return text === ''
        ? wishing(closed, {
            type: 'accept-run',
            run: run.id,
            commit: purpose.commit,
            way: purpose.way,
          })
        : only(
            askToAccept(closed, run, {
              does: 'accept',
              run: run.id,
              commit: purpose.commit,
              way: purpose.way,
              into: text,
            }),
          );
    }

    case 'palette':
      return only(closed);
  }
}

/** With the comments on its lines; on another plan that has come since they would make no sense. */
function reject(
  model: Model,
  {run: id, plan}: Extract<FieldPurpose, {what: 'reject'}>,
  reason: string,
  state: State,
  missing: (words: string) => Result,
): Result {
  const run = runOf(state, id);
  if (run?.stage.at !== 'reviewing' || run.stage.proposal.hash !== plan)
    return missing(
      'The plan has changed since you began to write: look at it first. Escape gives your words up.',
    );
  const {model: sending, wishes} = sendingComments(model, run);
  if (reason === '' && wishes.length === 0 && run.stage.proposal.comments.length === 0)
    return missing('A reason helps the planner. Escape keeps the plan.');
  return wishing(sending, ...wishes, {type: 'reject-plan', run: id, plan, reason});
}

function begin(
  model: Model,
  objective: string,
  isQueued: boolean,
  state: State,
  now: number,
  missing: (words: string) => Result,
): Result {
  const {
    repository: {checkout},
  } = model;
  const {project} = state;
  const [worker, planner] = [chosenAgent(model, state), plannerFor(model, state)];
  if (worker === undefined || planner === undefined)
    return missing(
      'No agent is installed, and the project declares none. `orchestra doctor` says which there are.',
    );
  if (!agentsOf(model, state).includes(planner))
    return missing(
      `${planner} is to plan, as the project says, and is not installed here. Install it, or choose another: ${keyFor(model, 'next-planner', 'prompt')}.`,
    );
  const named = chosenModel(model, worker, 'worker', state);
  const plannerModel =
    planner === worker ? undefined : chosenModel(model, planner, 'planner', state);
  // Whoever works with a model that was named can take it: only such are offered.
  if (modelProblem(worker, named, project) !== undefined)
    return missing(`${worker} needs a model; ${keyFor(model, 'name-model', 'prompt')} names one.`);
  if (planner !== worker && modelProblem(planner, plannerModel, project) !== undefined)
    return missing(
      `${planner} needs a model to plan with; ${keyFor(model, 'name-planner-model', 'prompt')} names one.`,
    );
  const request: RunRequest = {
    objective,
    worker,
    planner,
    ...(named === undefined ? {} : {model: named}),
    ...(plannerModel === undefined ? {} : {plannerModel}),
    ...(model.skill === '' ? {} : {skill: model.skill}),
    queued: isQueued,
    ...(checkout === undefined ? {} : {checkout}),
  };
  const objectives = [...model.objectives.filter((one) => one !== objective), objective].slice(
    -mostObjectives,
  );
  return wishing(
    saying(
      {...model, objectives, skill: ''},
      isQueued ? 'It begins when there is room.' : 'The planner begins.',
      now,
    ),
    {type: 'start-run', request, budget: budgetOf(project)},
  );
}

/** By the person's own shell, as they would write it there; nothing but the shell itself where nothing is written. */
function startCommand(shell: string, text: string, directory: string): Wish {
  const name = (text === '' ? shell : text).split(/\s/, 1)[0]?.split('/').at(-1) ?? '';
  return {
    type: 'start-session',
    name: name === '' ? 'command' : name,
    command: text === '' ? [shell] : [shell, '-c', text],
    directory,
  };
}

function budgetOf(project: State['project']): RunBudget {
  const {attemptMinutes, attemptTokens, runTokens} = limitsOf(project);
  return {
    attemptWallClock: attemptMinutes * 60_000,
    ...(attemptTokens === undefined ? {} : {attemptTokens}),
    ...(runTokens === undefined ? {} : {tokens: runTokens}),
  };
}
