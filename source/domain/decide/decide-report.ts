import type {Observation, Report} from '../command.ts';
import type {Effect} from '../effect.ts';
import {type RunId, runIdIn, type SessionId, type TaskId} from '../ids.ts';
import type {EventBody} from '../event.ts';
import {selectFallback} from '../select/agents.ts';
import {isPlanOpen, selectLastPlanner} from '../select/planner.ts';
import {hasBegunAnew, selectConversation} from '../select/sessions.ts';
import {
  selectAttempt,
  selectRun,
  selectService,
  selectSession,
  selectTask,
} from '../select/find.ts';
import {isBetweenTurns, isInteractive, maxBlockedHosts, selectOpenQuestion} from '../session.ts';
import {defaultPauses, type State} from '../state.ts';
import {wanted} from '../wanted/wanted.ts';
import {type Answer, refuse} from './answer.ts';
import {decideAgentRequest} from './decide-agent-request.ts';
import {isMessageHeld} from './message-commands.ts';
import {countUsage, noticeLoop, noticeRetry} from './watch-agent.ts';

/**
 * An observation is accepted as long as its effect is still wanted. A late report of an effect that
 * is no longer wanted changes nothing: the effect observes again when it is wanted again.
 */
export function decideReport(state: State, {effect: key, saw, at}: Report): Answer {
  const effect =
    key === undefined ? undefined : wanted(state).find((candidate) => candidate.key === key);
  if (key !== undefined && effect === undefined) return refuse(`${key} is not wanted now`);
  if (saw.type === 'planner-wrote' && key === undefined) return noticeWritingPlanner(state, saw);
  const expected: readonly Effect['do'][] | undefined = concludedEffects[saw.type];
  if (expected !== undefined && (effect === undefined || !expected.includes(effect.do))) {
    return refuse(
      `${saw.type} concludes ${expected.join(' or ')}, not ${effect?.do ?? 'an effect without a name'}`,
    );
  }

  switch (saw.type) {
    case 'time-passed':
      return undefined;
    case 'effect-failed':
      return effect === undefined
        ? refuse('a failure must name its effect')
        : decideEffectFailure(state, effect, saw.words);
    case 'agent-unavailable': {
      const owner = effect?.task ?? effect?.run;
      if (owner === undefined) return refuse('the agent belongs to no run');
      return (
        replaceAgent(state, effect, saw) ?? {
          type: 'trouble-met',
          owner,
          why: {kind: 'agent-unavailable', words: saw.words},
        }
      );
    }

    case 'attempt-paused':
      return pauseAttempt(state, effect, saw, at);
    case 'leftovers-found': {
      const owner = effect?.task ?? effect?.run;
      return owner === undefined
        ? refuse('the processes belong to no run')
        : {type: 'trouble-met', owner, why: {kind: 'leftovers', processes: saw.processes}};
    }

    case 'person-asked':
    case 'shell-asked':
    case 'shell-told':
    case 'service-told':
      return decideAgentRequest(state, saw, at);
    case 'service-observed': {
      const stage = selectService(state, saw.service)?.stage;
      // The condition is known already.
      return stage?.at === 'up' && stage.condition === saw.condition ? undefined : saw;
    }

    case 'intrusion-refused':
      return isKnownIntrusion(state, saw) ? undefined : saw;
    case 'no-progress':
      return decideNoProgress(state, saw);
    case 'conversation-lost':
      return loseConversation(state, saw);
    case 'turn-began':
    case 'turn-ended':
      return noticeTurn(state, saw);
    case 'done-reported':
      return noticeDone(state, saw);
    case 'input-held':
      return selectSession(state, saw.session)?.inputs.find(({number}) => number === saw.input)
        ?.heldSince === undefined
        ? saw
        : undefined;
    case 'message-held':
      return isMessageHeld(state, saw) ? undefined : saw;
    case 'usage-counted':
      return countUsage(state, saw);
    case 'retry-noticed':
    case 'retry-ended':
      return noticeRetry(state, saw);
    case 'loop-found':
      return noticeLoop(state, saw);
    case 'network-refused':
      return refuseNetwork(state, saw);
    case 'tampering-found':
      return selectRun(state, saw.run) === undefined
        ? refuse(`there is no run ${saw.run}`)
        : {type: 'run-parked', run: saw.run, why: {kind: 'tampering', paths: saw.paths}};
    default:
      return saw;
  }
}

/**
 * The same attempt of the same session is listed once until a person has seen it, so that neither
 * the journal nor the list grows.
 */
export function isKnownIntrusion(
  {intrusions}: State,
  {session, intent}: {readonly session: string; readonly intent: string},
): boolean {
  return intrusions.some(
    (known) => !known.isSeen && known.session === session && known.intent === intent,
  );
}

/**
 * The effects that each observation can be the result of. Observations about sessions and the
 * daemon need no effect.
 */
const concludedEffects: Partial<Record<Observation['type'], readonly Effect['do'][]>> = {
  'run-surveyed': ['survey'],
  'worktree-made': ['make-worktree', 'restore-worktree'],
  'worktree-removed': ['remove-worktree'],
  'worktree-renewed': ['renew-worktree'],
  'plan-received': ['read-plan'],
  'plan-invalid': ['read-plan'],
  'planner-waiting': ['read-plan'],
  'planner-wrote': ['read-plan'],
  'planner-failed': ['read-plan'],
  // The exit status of a sandbox or another wrapper does not show a signal; only the outcome file
  // does.
  'planning-interrupted': ['read-plan'],
  'attempt-interrupted': ['read-outcome'],
  'agent-finished': ['read-outcome'],
  'agent-gave-up': ['read-outcome'],
  'agent-failed': ['read-outcome'],
  'attempt-paused': ['read-outcome'],
  // A takeover has no outcome file to read; its session reports the loss itself.
  'conversation-lost': ['read-outcome', 'read-plan', 'run-session'],
  // An agent whose program is missing is reported by its session.
  'agent-unavailable': ['read-outcome', 'read-plan', 'run-session'],
  'change-captured': ['capture'],
  'change-judged': ['judge'],
  // A check that timed out is reported by its session.
  'check-finished': ['read-check', 'run-session'],
  'baseline-recalled': ['recall-baseline'],
  'baseline-checked': ['read-baseline', 'run-session'],
  'change-committed': ['commit'],
  'merge-built': ['build-merge'],
  'merge-conflicted': ['build-merge'],
  'task-merged': ['publish-merge'],
  'branch-moved': ['build-merge', 'publish-merge', 'bring-home', 'restore-branch'],
  'branch-restored': ['restore-branch'],
  'run-accepted': ['bring-home'],
  'accept-refused': ['bring-home'],
  'accept-undone': ['undo-accept'],
  'undo-refused': ['undo-accept', 'restore-worktree'],
  'summary-written': ['write-summary'],
  // The prompt of a session is asked for by the effect that started it.
  'input-asked': ['run-session', 'ask-prompt'],
  'input-typed': ['type-input', 'type-prompt'],
  'input-uncertain': ['type-input', 'type-prompt'],
  'input-held': ['type-prompt'],
  'message-delivered': ['deliver-message'],
  'message-held': ['deliver-message'],
  'message-queued': ['deliver-message'],
  'message-failed': ['deliver-message'],
  'service-observed': ['watch-service'],
  'port-taken': ['watch-service', 'run-session'],
};

function decideEffectFailure(state: State, effect: Effect, text: string): Answer {
  if (effect.do === 'type-input')
    return {type: 'input-uncertain', session: effect.session, input: effect.input};
  if (effect.do === 'type-prompt')
    return {type: 'input-uncertain', session: effect.session, input: effect.input, why: text};
  // Whether it began is not known, so the message is not given again.
  if (effect.do === 'deliver-message')
    return {type: 'message-failed', task: effect.task, number: effect.message, why: text};
  if (effect.do === 'watch-service')
    return {
      type: 'service-failed',
      service: effect.service,
      why: {kind: 'unwatchable', words: text},
    };
  if (effect.do === 'restore-worktree' || effect.do === 'undo-accept')
    return {type: 'undo-refused', what: selectUndone(state, effect), why: text};
  if (effect.do === 'stop-session') return failToStop(state, effect.session, text);
  const isShell =
    effect.do === 'run-session' && selectSession(state, effect.session)?.purpose.for === 'shell';
  const owner = effect.task ?? effect.run;
  // A shell that cannot be opened is reported to the agent that asked for it; the task continues.
  if (owner !== undefined && !isShell)
    return {type: 'trouble-met', owner, why: {kind: 'effect', effect: effect.key, words: text}};
  if (effect.do === 'run-session' && selectSession(state, effect.session) !== undefined)
    return {type: 'session-lost', session: effect.session, why: text};
  return refuse(`${effect.do} cannot be given up`);
}

/** What the undo of an effect is about: a discarded run comes back as a whole or not at all. */
function selectUndone(
  state: State,
  effect: Extract<Effect, {readonly do: 'restore-worktree' | 'undo-accept'}>,
): RunId | TaskId {
  if (effect.do === 'undo-accept') return effect.run;
  const run = runIdIn(effect.owner);
  return selectRun(state, run)?.stage.at === 'discarded' ? run : effect.owner;
}

/** Stopping is retried; a person is notified once for each reason. */
function failToStop(state: State, id: SessionId, text: string): Answer {
  return selectSession(state, id)?.unstoppable?.words === text
    ? undefined
    : {type: 'session-unstoppable', session: id, words: text};
}

/**
 * Each host and port is recorded once for a session, up to `maxBlockedHosts`: an agent chooses what
 * it connects to.
 */
function refuseNetwork(state: State, saw: Extract<Observation, {type: 'network-refused'}>): Answer {
  const session = selectSession(state, saw.session);
  if (session === undefined) return refuse(`there is no session ${saw.session}`);
  const known = session.networkRefused ?? [];
  return known.length >= maxBlockedHosts ||
    known.some(({host, port}) => host === saw.host && port === saw.port)
    ? undefined
    : saw;
}

/**
 * A lost conversation is recorded once for each attempt or planning round, and only if there was a
 * conversation to continue. Otherwise the agent failed.
 */
function loseConversation(
  state: State,
  {session: id, words}: Extract<Observation, {type: 'conversation-lost'}>,
): Answer {
  const session = selectSession(state, id);
  if (session === undefined) return refuse(`there is no session ${id}`);
  const {purpose} = session;
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover' && purpose.for !== 'plan')
    return refuse(`${id} continues no conversation`);
  // An agent that has taken a turn has its conversation.
  if (
    selectConversation(state, session) !== undefined &&
    !hasBegunAnew(state, session) &&
    session.turn === undefined
  )
    return {type: 'conversation-lost', session: id, words};
  if (purpose.for === 'plan')
    return {type: 'planner-failed', run: purpose.run, round: purpose.round, words};
  return purpose.for === 'attempt'
    ? {type: 'agent-failed', task: purpose.task, attempt: purpose.attempt, words}
    : refuse(`${id} had no conversation to lose`);
}

/** The worktree is compared again at the approval of a plan whose planner is in its own interface. */
function noticeWritingPlanner(
  state: State,
  saw: Extract<Observation, {type: 'planner-wrote'}>,
): Answer {
  const run = selectRun(state, saw.run);
  return run?.stage.at === 'reviewing' && isPlanOpen(run) && selectLastPlanner(state, run)
    ? saw
    : refuse(`${saw.run} has no plan whose planner is open`);
}

/** What is known already changes nothing. Only an agent in its own interface takes turns. */
function noticeTurn(
  state: State,
  saw: Extract<Observation, {type: 'turn-began' | 'turn-ended'}>,
): Answer {
  const session = selectSession(state, saw.session);
  if (session === undefined || !isInteractive(session) || session.life.at !== 'running')
    return refuse(`${saw.session} is no agent in its own interface`);
  const isOpen = session.turn?.at === 'open';
  return isOpen === (saw.type === 'turn-ended') ? saw : undefined;
}

/** Only the agent of a turn that is under way can say that it is done. */
function noticeDone(state: State, saw: Extract<Observation, {type: 'done-reported'}>): Answer {
  const {turn} = selectSession(state, saw.session) ?? {};
  return turn?.at === 'open' && turn.isDone !== true ? saw : undefined;
}

/** No output, no CPU time and no change for too long. */
function decideNoProgress(
  state: State,
  {session: id, silentFor, limit}: Extract<Observation, {type: 'no-progress'}>,
): Answer {
  const session = selectSession(state, id);
  const purpose = session?.purpose;
  if (session !== undefined && selectOpenQuestion(session) !== undefined)
    return refuse(`${id} waits for a person's answer`);
  if (session !== undefined && isBetweenTurns(session))
    return refuse(`${id} waits for its next prompt`);
  if (purpose?.for === 'plan') {
    const step = selectRun(state, purpose.run)?.rounds.at(-1)?.step;
    if (step?.at === 'thinking' && step.session === id)
      return {
        type: 'planning-failed',
        run: purpose.run,
        why: {kind: 'no-progress', silentFor, limit},
      };
  }

  if (purpose?.for === 'attempt') {
    const task = selectTask(state, purpose.task);
    const step = task === undefined ? undefined : selectAttempt(task)?.step;
    if (task?.stage.at === 'attempting' && step?.at === 'working' && step.session === id) {
      return {
        type: 'task-stopped',
        task: purpose.task,
        why: {kind: 'budget', budget: 'no-progress', used: silentFor, limit},
      };
    }
  }

  return refuse(`the progress of ${id} is not watched`);
}

/** The project's next agent for a task whose agent is unavailable. Undefined: a person is asked. */
function replaceAgent(
  state: State,
  effect: Effect | undefined,
  {words, installed = []}: {readonly words: string; readonly installed?: readonly string[]},
): EventBody | undefined {
  const task = effect?.task === undefined ? undefined : selectTask(state, effect.task);
  const attempt = task === undefined ? undefined : selectAttempt(task);
  if (task === undefined || attempt === undefined || effect === undefined) return undefined;
  if (!('session' in effect) || attempt.step.at !== 'working') return undefined;
  if (attempt.step.session !== effect.session) return undefined;
  const replacement = selectFallback(state, task, installed);
  return replacement === undefined
    ? undefined
    : {type: 'agent-replaced', task: task.id, attempt: attempt.number, ...replacement, words};
}

type Pause = Extract<Observation, {readonly type: 'attempt-paused'}>;

/**
 * The agent's service asks to wait. The time it names may be in the past or never come, so each
 * pause is at least twice as long as the previous one, and all pauses together are limited by the
 * project. After that another agent takes over, or a person is asked.
 */
function pauseAttempt(
  state: State,
  effect: Effect | undefined,
  {task: id, attempt: number, until, words, installed}: Pause,
  at: number,
): Answer {
  const task = selectTask(state, id);
  const attempt = task === undefined ? undefined : selectAttempt(task);
  const {times, total} = attempt?.paused ?? {times: 0, total: 0};
  const {pauseSeconds, pauseMinutes} = {...defaultPauses, ...state.project.limits};
  const min = pauseSeconds * 1000 * 2 ** times;
  // Also covers an `until` that is not a number.
  const pause = until - at > min ? until - at : min;
  if (total + pause <= pauseMinutes * 60_000)
    return {type: 'attempt-paused', task: id, attempt: number, until: at + pause, words};
  const pauses = {times, total, next: Math.min(pause, Number.MAX_SAFE_INTEGER)};
  return (
    replaceAgent(state, effect, {words, ...(installed === undefined ? {} : {installed})}) ?? {
      type: 'trouble-met',
      owner: id,
      why: {kind: 'agent-unavailable', words, pauses},
    }
  );
}
