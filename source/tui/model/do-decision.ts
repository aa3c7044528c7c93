import {planFileOf} from '../../documents/index.ts';
import {
  isRunId,
  isSessionId,
  isTaskId,
  listedServices,
  runIdIn,
  runIdOfSession,
  runOf,
  taskOf,
  sessionOf,
  taskIdOfSession,
  worktreeOf,
  type Need,
  type RunId,
  type SessionId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {acceptRun} from './accept-run.ts';
import {doing, only, saying, wishing, type Result} from './action.ts';
import {discardLines} from './discard-lines.ts';
import {openField} from './fields.ts';
import {selectedRow} from './focus.ts';
import {keyFor} from './key-for.ts';
import type {ConfirmedDeed, Model} from './model.ts';
import {answersTo} from './needs-queue.ts';
import {decideOnBase, type BaselineDeed} from './decide-on-base.ts';
import {planComments, sendingComments} from './plan-comments.ts';

export type Decision =
  | 'stop'
  | 'resume'
  | 'take-over'
  | 'hand-back'
  | 'hand-to-agent'
  | 'discard'
  | 'approve'
  | 'edit-plan'
  | 'reject-plan'
  | 'option'
  | 'answer'
  | 'grant'
  | 'accept'
  | 'plan-again'
  | 'more-budget'
  | 'seen'
  | 'adopt-branch'
  | 'restore-branch'
  | BaselineDeed
  | 'start-service'
  | 'stop-service'
  | 'restart-service'
  | 'propose'
  | 'note'
  | 'reset'
  | 'environment'
  | 'start-command'
  | 'queue-earlier'
  | 'queue-later';

/** What a person decides. It becomes a wish; what cannot be taken back by a key is asked once more. */
export function decideOn(
  model: Model,
  does: Decision,
  chord: string,
  state: State,
  now: number,
): Result {
  const {need} = model;
  const what = subjectOf(model, state);
  const refuse = (words: string): Result => only(saying(model, words, now));
  switch (does) {
    case 'approve':
    case 'edit-plan':
    case 'reject-plan':
      return answerPlan(model, does, state, now);
    case 'accept':
    case 'propose':
      return acceptRun(model, does, state, now);
    case 'option':
    case 'answer':
      return answerQuestion(model, does === 'option' ? Number(chord) : undefined, now);
    case 'stop':
      if (what === undefined) return serviceWish(model, 'stop-service', state, now);
      return only(
        asking(
          model,
          `Stop ${what}?`,
          ['It stays stopped until you resume it. Nothing that was done is lost.'],
          {does: 'stop', what},
        ),
      );
    case 'resume':
      return what === undefined || isSessionId(what)
        ? refuse('Choose a run or a task that was stopped.')
        : wishing(model, {type: 'resume', what});
    case 'take-over':
    case 'hand-back':
      return what === undefined || !isTaskId(what)
        ? refuse('Choose a task first.')
        : wishing(model, {type: does, task: what});
    case 'hand-to-agent': {
      const isTaken =
        what !== undefined && isTaskId(what) && taskOf(state, what)?.stage.at === 'taken-over';
      return isTaken
        ? only(openField(model, {what: 'hand-to-agent', task: what}, 'Note for its agent, or none'))
        : refuse('Choose a task that you have taken over.');
    }

    case 'grant':
      return what === undefined || !isTaskId(what)
        ? refuse('Choose a task first.')
        : only(openField(model, {what: 'hint', task: what}, 'Hint'));
    case 'discard':
      if (what === undefined || isSessionId(what))
        return refuse('Choose a run or a task to discard.');
      return only(
        asking(model, `Discard ${what}?`, discardLines(state, what), {does: 'discard', what}),
      );
    case 'plan-again':
      return what === undefined || !isRunId(what)
        ? refuse('Choose a run first.')
        : only(openField(model, {what: 'plan-again', run: what}, 'What should be otherwise'));
    case 'more-budget':
      if (need?.kind !== 'budget') return only(model);
      return wishing(model, {
        type: 'extend-budget',
        run: need.run,
        ...(need.exhausted.budget === 'tokens'
          ? {tokens: need.exhausted.used * 2}
          : {wallClock: need.exhausted.used * 2}),
      });
    case 'seen':
      if (need?.kind === 'loop')
        return wishing(model, {
          type: 'acknowledge-loop',
          session: need.session,
          number: need.number,
        });
      return need?.kind === 'intrusion'
        ? wishing(model, {type: 'acknowledge-intrusion', number: need.number})
        : only(model);
    case 'adopt-branch':
    case 'restore-branch':
      if (need?.kind !== 'branch') return only(model);
      if (does === 'adopt-branch' && need.relation !== 'ahead')
        return refuse(
          `${need.branch} does not hold what was merged. ${keyFor(model, 'restore-branch', 'need-branch')} puts it back.`,
        );
      return wishing(model, {type: does, run: need.run, commit: need.found});
    case 'baseline-mend':
    case 'baseline-ignore':
    case 'baseline-no-new':
    case 'baseline-count':
    case 'baseline-again':
      return decideOnBase(model, does, state, now);
    case 'start-service':
    case 'stop-service':
    case 'restart-service':
      return serviceWish(model, does, state, now);
    case 'note':
      return what === undefined
        ? refuse('Choose a run, a task or a session first.')
        : only(openField(model, {what: 'note', on: what}, `Words on ${what}`));
    case 'reset':
      if (what === undefined || !isTaskId(what)) return refuse('Choose a task first.');
      return only(
        asking(
          model,
          `Begin the agent of ${what} anew?`,
          [
            'It is ended, and another begins in a fresh context, on what stands in the worktree. The attempt stays the same one: no try is spent.',
          ],
          {does: 'reset', task: what},
        ),
      );
    case 'environment':
      return askEnvironment(model, what, state, now);
    case 'start-command':
      return startCommand(model, what, state);
    case 'queue-earlier':
    case 'queue-later':
      return moveInQueue(model, what, does === 'queue-earlier' ? -1 : 1, state, now);
  }
}

/** What the daemon answers is shown with the question whether to take another one: see `hear`. */
function askEnvironment(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  state: State,
  now: number,
): Result {
  const session = what !== undefined && isSessionId(what) ? sessionOf(state, what) : undefined;
  const run =
    what === undefined
      ? undefined
      : isSessionId(what)
        ? session === undefined
          ? undefined
          : runIdOfSession(session)
        : runIdIn(what);
  if (run === undefined)
    return only(saying(model, 'Choose a run, or a task or a session of one.', now));
  return doing(model, {
    type: 'ask',
    name: `environment/${run}`,
    question: {about: 'environment', of: run},
  });
}

/** In the worktree of the task that is chosen, else where the person is. */
function startCommand(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  state: State,
): Result {
  const run = what !== undefined && isTaskId(what) ? runOf(state, runIdIn(what)) : undefined;
  const worktree =
    run === undefined || what === undefined || !isTaskId(what)
      ? undefined
      : worktreeOf(run, what)?.path;
  const where = worktree === undefined || what === undefined ? '' : ` in the worktree of ${what}`;
  return only(
    openField(
      model,
      {what: 'command', directory: worktree ?? model.repository.shell.directory},
      `Command${where}, empty for a shell`,
    ),
  );
}

function moveInQueue(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  by: 1 | -1,
  state: State,
  now: number,
): Result {
  const at = what !== undefined && isRunId(what) ? state.queue.indexOf(what) : -1;
  if (at === -1 || what === undefined || !isRunId(what))
    return only(saying(model, 'Choose a run that waits in the queue.', now));
  const position = at + 1 + by;
  if (position < 1 || position > state.queue.length)
    return only(
      saying(model, `${what} is ${by < 0 ? 'the first' : 'the last'} in the queue already.`, now),
    );
  return wishing(model, {type: 'move-in-queue', run: what, position});
}

function asking(
  model: Model,
  question: string,
  lines: readonly string[],
  yes: ConfirmedDeed,
): Model {
  return {...model, asking: {question, lines, yes}};
}

/** What a decision is about: what the need is about, what is reviewed, or what is chosen. */
function subjectOf(model: Model, state: State): RunId | TaskId | SessionId | undefined {
  if (model.screen === 'needs' && model.need !== undefined) return subjectOfNeed(model.need, state);
  if (model.screen === 'review') return model.subject;
  if (model.screen === 'plan') return model.run;
  const key = selectedRow(model, state)?.key ?? '';
  return isRunId(key) || isTaskId(key) || isSessionId(key) ? key : undefined;
}

function subjectOfNeed(need: Need, state: State): RunId | TaskId | SessionId | undefined {
  // An agent that is stopped alone is begun again: its task, or the run that it plans, is what a person stops.
  const looping = need.kind === 'loop' ? sessionOf(state, need.session) : undefined;
  if (looping !== undefined)
    return taskIdOfSession(looping) ?? runIdOfSession(looping) ?? looping.id;
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('owner' in need) return need.owner;
  return 'session' in need ? need.session : undefined;
}

function answerPlan(
  model: Model,
  does: 'approve' | 'edit-plan' | 'reject-plan',
  state: State,
  now: number,
): Result {
  const run = model.run === undefined ? undefined : runOf(state, model.run);
  if (run?.stage.at !== 'reviewing')
    return only(
      saying(
        model,
        run === undefined
          ? 'There is no plan.'
          : `The plan of ${run.id} does not wait for you: it is ${run.stage.at}.`,
        now,
      ),
    );
  const {proposal, ground} = run.stage;
  if (does === 'approve') {
    // Nobody plans again with them, but the journal has them.
    const {model: sending, wishes} = sendingComments(model, run);
    return wishing(sending, ...wishes, {
      type: 'approve-plan',
      run: run.id,
      plan: proposal.hash,
      rules: ground.rules.hash,
      base: ground.base,
    });
  }

  if (does === 'edit-plan')
    return doing(model, {
      type: 'edit',
      name: `${run.id}-plan.yaml`,
      text: model.draft?.run === run.id ? model.draft.text : planFileOf(proposal.plan),
    });
  return only(
    openField(
      model,
      {what: 'reject', run: run.id, plan: proposal.hash},
      proposal.comments.length + planComments(model, run).length === 0
        ? 'Why not'
        : 'Why not, beside your comments',
    ),
  );
}

function answerQuestion(model: Model, option: number | undefined, now: number): Result {
  const {need} = model;
  if (need?.kind !== 'question' && need?.kind !== 'uncertain-input') return only(model);
  const asked = need.kind === 'question' ? need.asked : undefined;
  if (option === undefined)
    return only(
      openField(
        model,
        {
          what: 'answer',
          session: need.session,
          need: need.id,
          ...(asked === undefined ? {} : {asked}),
        },
        'Answer',
      ),
    );
  const chosen = need.kind === 'question' ? answersTo(need)[option - 1] : undefined;
  if (chosen === undefined)
    return only(
      saying(model, `There is no answer ${option}. ${keyFor(model, 'answer')} writes one.`, now),
    );
  return wishing(
    model,
    asked === undefined
      ? {type: 'send-input', session: need.session, text: `${chosen}\r`}
      : {type: 'answer-question', session: need.session, number: asked, text: chosen},
  );
}

function serviceWish(
  model: Model,
  type: 'start-service' | 'stop-service' | 'restart-service',
  state: State,
  now: number,
): Result {
  const {need, screen} = model;
  const row = screen === 'workers' ? selectedRow(model, state) : undefined;
  const service =
    screen === 'needs' && need !== undefined && 'service' in need
      ? need.service
      : screen === 'services'
        ? listedServices(state)[
            Math.min(listedServices(state).length - 1, model.places.services.cursor)
          ]?.spec.name
        : row?.kind === 'service'
          ? row.name
          : undefined;
  if (service === undefined) return only(saying(model, 'There is no service here.', now));
  return wishing(
    saying(
      model,
      `${service}: ${{'start-service': 'is started', 'stop-service': 'is stopped', 'restart-service': 'is started again'}[type]}`,
      now,
    ),
    {type, service},
  );
}
