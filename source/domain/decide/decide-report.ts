import type {Observation, Report} from '../command.ts';
import type {Effect} from '../effect.ts';
import type {SessionId} from '../ids.ts';
import {conversationOf, hasBegunAnew} from '../select/conversation-of.ts';
import {attemptOf, runOf, serviceOf, sessionOf, taskOf} from '../select/find.ts';
import {maxRefusedHosts, openQuestionOf} from '../session.ts';
import type {State} from '../state.ts';
import {wanted} from '../wanted/wanted.ts';
import {type Answer, refuse} from './answer.ts';
import {decideAsking} from './decide-asking.ts';
import {pauseAttempt} from './pause-attempt.ts';
import {countUsage, noticeLoop, noticeRetry} from './watch-agent.ts';

/**
 * What the world reports is taken as it is, if it is about something that is still wanted. A late report of an effect
 * that nobody wants any more changes nothing: the effect observes the world again when it is wanted again.
 */
export function decideReport(state: State, {effect: key, saw, at}: Report): Answer {
  const effect =
    key === undefined ? undefined : wanted(state).find((candidate) => candidate.key === key);
  if (key !== undefined && effect === undefined) return refuse(`${key} is not wanted now`);
  const expected: readonly Effect['do'][] | undefined = concludes[saw.type];
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
        ? refuse('a failure names its effect')
        : failureOf(state, effect, saw.words);
    case 'agent-unavailable': {
      const owner = effect?.task ?? effect?.run;
      return owner === undefined
        ? refuse('nobody owns that agent')
        : {type: 'trouble-met', owner, why: {kind: 'agent-unavailable', words: saw.words}};
    }

    case 'attempt-paused':
      return pauseAttempt(state, saw, at);
    case 'leftovers-found': {
      const owner = effect?.task ?? effect?.run;
      return owner === undefined
        ? refuse('nobody owns what was left')
        : {type: 'trouble-met', owner, why: {kind: 'leftovers', processes: saw.processes}};
    }

    case 'person-asked':
    case 'shell-asked':
    case 'shell-told':
    case 'service-told':
      return decideAsking(state, saw, at);
    case 'service-observed': {
      const stage = serviceOf(state, saw.service)?.stage;
      // What is known is no news.
      return stage?.at === 'up' && stage.condition === saw.condition ? undefined : saw;
    }

    case 'intrusion-refused':
      return isKnownIntrusion(state, saw) ? undefined : saw;
    case 'no-progress':
      return stall(state, saw);
    case 'conversation-lost':
      return loseConversation(state, saw);
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
      return runOf(state, saw.run) === undefined
        ? refuse(`there is no run ${saw.run}`)
        : {type: 'run-parked', run: saw.run, why: {kind: 'tampering', paths: saw.paths}};
    default:
      return saw;
  }
}

/** Whoever tries without end is shown once, until a person has seen it: neither the journal nor the list grows by it. */
export function isKnownIntrusion(
  {intrusions}: State,
  {session, intent}: {readonly session: string; readonly intent: string},
): boolean {
  return intrusions.some(
    (known) => !known.isSeen && known.session === session && known.intent === intent,
  );
}

/** Which effects an observation can be the result of. Facts about sessions and the house stand for themselves. */
const concludes: Partial<Record<Observation['type'], readonly Effect['do'][]>> = {
  'run-surveyed': ['survey'],
  'worktree-made': ['make-worktree'],
  'worktree-removed': ['remove-worktree'],
  'worktree-renewed': ['renew-worktree'],
  'plan-received': ['read-plan'],
  'plan-invalid': ['read-plan'],
  'planner-wrote': ['read-plan'],
  'planner-failed': ['read-plan'],
  // Where an exit status says nothing of a signal, only what was left tells it: a sandbox or another wrapper ended by itself.
  'planning-interrupted': ['read-plan'],
  'attempt-interrupted': ['read-outcome'],
  'agent-finished': ['read-outcome'],
  'agent-gave-up': ['read-outcome'],
  'agent-failed': ['read-outcome'],
  'attempt-paused': ['read-outcome'],
  // A person's own screen has no outcome to be read.
  'conversation-lost': ['read-outcome', 'read-plan', 'run-session'],
  'agent-unavailable': ['read-outcome', 'read-plan'],
  'change-captured': ['capture'],
  'change-judged': ['judge'],
  // One that takes too long has no end to be read.
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
  'summary-written': ['write-summary'],
  // A prompt belongs to what was started; only who started it knows of it.
  'input-asked': ['run-session'],
  'input-typed': ['type-input', 'type-prompt'],
  'input-uncertain': ['type-input', 'type-prompt'],
  'service-observed': ['watch-service'],
  'port-taken': ['watch-service', 'run-session'],
};

function failureOf(state: State, effect: Effect, words: string): Answer {
  if (effect.do === 'type-input')
    return {type: 'input-uncertain', session: effect.session, input: effect.input};
  if (effect.do === 'type-prompt')
    return {type: 'input-uncertain', session: effect.session, input: effect.input, why: words};
  if (effect.do === 'watch-service')
    return {type: 'service-failed', service: effect.service, why: {kind: 'unwatchable', words}};
  if (effect.do === 'stop-session') return failToStop(state, effect.session, words);
  const isShell =
    effect.do === 'run-session' && sessionOf(state, effect.session)?.purpose.for === 'shell';
  const owner = effect.task ?? effect.run;
  // A shell that cannot be opened is told to whoever asked for it; the task goes on.
  if (owner !== undefined && !isShell)
    return {type: 'trouble-met', owner, why: {kind: 'effect', effect: effect.key, words}};
  if (effect.do === 'run-session' && sessionOf(state, effect.session) !== undefined)
    return {type: 'session-lost', session: effect.session, why: words};
  return refuse(`${effect.do} is not given up`);
}

/** It is tried further; a person is told once for each reason. */
function failToStop(state: State, id: SessionId, words: string): Answer {
  return sessionOf(state, id)?.unstoppable?.words === words
    ? undefined
    : {type: 'session-unstoppable', session: id, words};
}

/** Each host and port of a session once, and not without end: an agent chooses what it asks for. */
function refuseNetwork(state: State, saw: Extract<Observation, {type: 'network-refused'}>): Answer {
  const session = sessionOf(state, saw.session);
  if (session === undefined) return refuse(`there is no session ${saw.session}`);
  const known = session.networkRefused ?? [];
  return known.length >= maxRefusedHosts ||
    known.some(({host, port}) => host === saw.host && port === saw.port)
    ? undefined
    : saw;
}

/** Once in an attempt, or in a round of planning, and only where there was one to go on with; else it is a failure like any other. */
function loseConversation(
  state: State,
  {session: id, words}: Extract<Observation, {type: 'conversation-lost'}>,
): Answer {
  const session = sessionOf(state, id);
  if (session === undefined) return refuse(`there is no session ${id}`);
  const {purpose} = session;
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover' && purpose.for !== 'plan')
    return refuse(`${id} goes on with no conversation`);
  if (conversationOf(state, session) !== undefined && !hasBegunAnew(state, session))
    return {type: 'conversation-lost', session: id, words};
  if (purpose.for === 'plan')
    return {type: 'planner-failed', run: purpose.run, round: purpose.round, words};
  return purpose.for === 'attempt'
    ? {type: 'agent-failed', task: purpose.task, attempt: purpose.attempt, words}
    : refuse(`${id} had no conversation to lose`);
}

/** No output, no CPU, no change for too long. */
function stall(
  state: State,
  {session: id, silentFor, limit}: Extract<Observation, {type: 'no-progress'}>,
): Answer {
  const session = sessionOf(state, id);
  const purpose = session?.purpose;
  if (session !== undefined && openQuestionOf(session) !== undefined)
    return refuse(`${id} waits for a person's answer`);
  if (purpose?.for === 'plan') {
    const step = runOf(state, purpose.run)?.rounds.at(-1)?.step;
    if (step?.at === 'thinking' && step.session === id)
      return {
        type: 'planning-failed',
        run: purpose.run,
        why: {kind: 'no-progress', silentFor, limit},
      };
  }

  if (purpose?.for === 'attempt') {
    const task = taskOf(state, purpose.task);
    const step = task === undefined ? undefined : attemptOf(task)?.step;
    if (task?.stage.at === 'attempting' && step?.at === 'working' && step.session === id) {
      return {
        type: 'task-stopped',
        task: purpose.task,
        why: {kind: 'budget', budget: 'no-progress', used: silentFor, limit},
      };
    }
  }

  return refuse(`nothing counts on the progress of ${id}`);
}
