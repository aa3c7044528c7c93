import type {
  AskSource,
  BaselineFailure,
  DiscardReason,
  EventOf,
  Failure,
  FailureConfidence,
  LoopKind,
  MovedBranch,
  NetworkRefusal,
  ParkReason,
  PlanFailure,
  Purpose,
  Retrying,
  ServiceFailure,
  StopReason,
  TroubleReason,
} from '../../domain/index.ts';
import {pluralize} from '../../shared/index.ts';
import {formatAge} from '../terminal-text.ts';

export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'no-change':
      return failure.denied === undefined
        ? 'the agent changed nothing'
        : `the agent changed nothing, and could not: ${failure.denied.join('; ')}`;
    case 'scope':
      return `changed files outside the plan: ${failure.paths
        .map((path) => {
          const why = failure.refused?.find((rejected) => rejected.path === path)?.why;
          return why === undefined ? path : `${path} (${why})`;
        })
        .join(', ')}`;
    case 'rule':
      return `rule ${failure.number} is broken: ${failure.detail}`;
    case 'check':
      return (
        `${failure.name} failed${failure.on === 'merge' ? ' after merging' : ''}` +
        `${describeDoubt(failure.confidence)}: ` +
        withoutUnknownTool(failure.firstFailure)
      );
    case 'conflict':
      return `conflicts with merged work in ${failure.paths.join(', ')}`;
    case 'agent':
      return `the agent failed: ${failure.words}`;
  }
}

/** What follows `discarded`; nothing for a person's own decision. */
export function describeDiscard(why: DiscardReason): string {
  if (why.kind === 'person') return '';
  return why.kind === 'needs' ? `: it needs ${why.task}` : `: ${why.task} was picked`;
}

/**
 * The text of a first failure for people. Its first line names the tool and the test; an unknown
 * tool is left out, and so is a test that the rest names.
 */
export function withoutUnknownTool(text: string): string {
  const [head = '', ...rest] = text.split('\n');
  const found = /^unknown(?:: (.+))?$/.exec(head);
  if (found === null || rest.length === 0) return text;
  const test = found[1];
  const isNamed = test === undefined || rest.some((line) => ` ${line}`.includes(` ${test}`));
  return (isNamed ? rest : [test, ...rest]).join('\n');
}

/** A failure that was found needs no remark in a sentence. */
function describeDoubt(confidence: FailureConfidence | undefined): string {
  if (confidence === undefined || confidence === 'found') return '';
  return confidence === 'likely' ? ', likely' : ', at the end of its log';
}

/** How sure it is that a text is the first failure. */
export function describeConfidence(confidence: FailureConfidence): string {
  return {found: 'found', likely: 'likely', 'end-of-log': 'end of the log'}[confidence];
}

const networkRefusals: Readonly<Record<NetworkRefusal, string>> = {
  'not-listed': 'the project does not list this host',
  'port-not-listed': 'the project lists the host, but not this port',
  'private-address': 'the name is listed, but it leads to this machine or a private network',
  'not-a-host': 'neither a host name nor an address',
  'too-many': 'too many to list',
};

export function describeNetworkRefusal({
  host,
  port,
  why,
}: Pick<EventOf<'network-refused'>, 'host' | 'port' | 'why'>): string {
  return why === 'too-many'
    ? `more hosts: ${networkRefusals[why]}`
    : `${host}:${port}: ${networkRefusals[why]}`;
}

export function describeStop(why: StopReason): string {
  switch (why.kind) {
    case 'gave-up':
      return `the agent gave up: ${why.words}`;
    case 'interrupted':
      return `it was interrupted ${why.times} times`;
    case 'budget':
      if (why.budget === 'no-progress')
        return (
          `it made no progress for ${formatAge(why.used)}: no new output, no change in its ` +
          'worktree, no busy process'
        );
      return why.budget === 'tokens'
        ? `it used ${why.used} of ${why.limit} tokens`
        : `it was not done after ${seconds(why.limit)}, the limit for a try`;
    case 'loop':
      return describeLoop(why);
    default:
      return describeFailure(why);
  }
}

/** What an agent does that looks like a loop. */
export function describeLoop({
  loop,
  evidence,
  times,
}: {
  readonly loop: LoopKind;
  readonly evidence: string;
  readonly times: number;
}): string {
  switch (loop) {
    case 'same-calls':
      return (
        `its agent made the same call ${times} times with the same result, and nothing new ` +
        `in between: ${evidence}`
      );
    case 'same-failures':
      return `the same command failed ${times} times in the same way, with no change in between: ${evidence}`;
    case 'undone-edits':
      return `its agent restored an earlier version of a file ${times} times in a row: ${evidence}`;
    case 'unchanged':
      return (
        `its agent works, but nothing in the worktree has changed for ${times} ` +
        `min${evidence === '' ? '' : `: ${evidence}`}`
      );
  }
}

/** How the agent's service fails: `retrying for 24 min, 3rd time, HTTP 529`. */
export function describeRetry({since, times, words, status}: Retrying, now: number): string {
  return [
    `retrying for ${formatAge(now - since)}`,
    `${times}${ordinalEnd(times)} time`,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(words === '' ? [] : [words]),
  ].join(', ');
}

function ordinalEnd(number: number): string {
  const last = number % 100;
  if (last >= 11 && last <= 13) return 'th';
  return {1: 'st', 2: 'nd', 3: 'rd'}[number % 10] ?? 'th';
}

export function describeTrouble(why: TroubleReason): string {
  switch (why.kind) {
    case 'effect':
      return `${describeEffect(why.effect)}${why.words}`;
    case 'setup':
      if (why.limit !== undefined) return `its setup was not done after ${seconds(why.limit)}`;
      return why.code === null
        ? 'its setup was interrupted again and again'
        : `its setup exited with ${why.code}`;
    case 'broken-check':
      return `the check "${why.name}" cannot run`;
    case 'red-on-base':
      return `the check "${why.name}" fails, and it fails on the unchanged base as well`;
    case 'agent-unavailable':
      return (
        'its agent is not ' +
        `available${why.pauses === undefined ? '' : `, ${describePauses(why.pauses)}`}: ` +
        why.words
      );
    case 'worktree-gone':
      return 'its worktree is gone';
    case 'leftovers':
      return (
        `${why.processes.length === 1 ? 'a process that it may have left still runs' : `${why.processes.length} processes that it may have left still run`}: ` +
        why.processes
          .map(({pid, command, because}) => `pid ${pid} ${command} (${because})`)
          .join(', ')
      );
  }
}

/** How long the task has waited for the service, and how much longer the service asks for. */
function describePauses({
  times,
  total,
  next,
}: {
  readonly times: number;
  readonly total: number;
  readonly next: number;
}): string {
  const before =
    times === 0 ? '' : `was put off ${pluralize(times, 'time')} (${formatAge(total)} in total) `;
  return (
    `${before}${before === '' ? '' : 'and '}asks for ` +
    `${next > 365 * 86_400_000 ? 'more than a year' : formatAge(next)}${before === '' ? '' : ' more'}`
  );
}

/** Why the base could not be checked. */
export function describeBaselineFailure(why: BaselineFailure): string {
  if (why.kind === 'interrupted') return `its checks were interrupted ${why.times} times`;
  if (why.limit !== undefined) return `its setup was not done after ${seconds(why.limit)}`;
  return `its setup exited with ${why.code ?? 'an unknown status'}`;
}

export function describeServiceFailure(why: ServiceFailure): string {
  switch (why.kind) {
    case 'permanent':
      return `it exited with ${why.code}, which means that a restart does not help`;
    case 'restarts':
      return why.steady === undefined
        ? `it died after ${pluralize(why.times, 'start')} within a minute`
        : `it died ${why.times} times in a row, never after more than ${formatAge(why.steady)}`;
    case 'not-ready':
      return `it was not ready ${formatAge(why.limit)} after its start`;
    case 'unwatchable':
      return `its state is unknown: ${why.words}`;
  }
}

/** Where a run's branch is now, compared with where the run left it. */
export function describeMoved({
  branch,
  expected,
  found,
  relation,
}: Omit<MovedBranch, 'at' | 'isRestoring'>): string {
  const short = (commit: string): string => commit.slice(0, 12);
  const how = {
    ahead: 'it has commits that orchestra did not make',
    behind: 'it lacks commits that were merged',
    apart: 'it does not contain what was merged',
  }[relation];
  return `somebody moved the branch ${branch} from ${short(expected)} to ${short(found)}: ${how}`;
}

/**
 * The action that failed, by the verb in the key of its effect. The whole key is in the journal.
 */
function describeEffect(effect: string): string {
  const verb = /^[^/]*\/([a-z-]*[a-z])/.exec(effect)?.[1] ?? '';
  const text = Object.hasOwn(effectLabels, verb) ? effectLabels[verb] : undefined;
  return text === undefined ? '' : `${text}: `;
}

const effectLabels: Readonly<Record<string, string>> = {
  make: 'making its worktree',
  renew: 'rebasing its change onto what is merged',
  remove: 'removing its worktree',
  prepare: 'preparing its work',
  capture: 'reading its change',
  commit: 'committing its change',
  'build-merge': 'merging it',
  'publish-merge': 'merging it',
  'bring-home': 'accepting it into your branch',
  summary: 'writing its summary',
  'read-plan': 'reading its plan',
  'read-outcome': 'reading how its agent ended',
  'read-check': 'reading its check',
  'read-baseline': 'reading a check on its base',
  'recall-baseline': 'looking up earlier results for its base',
  'read-merge-check': 'reading its check after merging',
};

export function describeParking(why: ParkReason): string {
  switch (why.kind) {
    case 'crashing':
      return `orchestra crashed ${why.times} times during ${why.effect}`;
    case 'tampering':
      return `somebody changed what git runs: ${why.paths.join(', ')}`;
    case 'misfit':
      return `event ${why.seq}, ${why.event}, does not follow from the events before it`;
  }
}

export function describePlanFailure(why: PlanFailure): string {
  switch (why.kind) {
    case 'invalid':
      return (
        'the planner sent no valid plan, twice: ' +
        `${why.problems[0] ?? 'no reason given'}${why.words === undefined || why.words === '' ? '' : `. Its last output: ${why.words.replaceAll(/\s+/g, ' ').trim()}`}`
      );
    case 'planner-wrote':
      return `the planner changed files: ${why.paths.join(', ')}`;
    case 'planner-failed':
      return `the planner failed: ${why.words}`;
    case 'no-progress':
      return `the planner did nothing for ${seconds(why.silentFor)}`;
    case 'interrupted':
      return `the planner was interrupted ${why.times} times`;
    case 'wall-clock':
      return `the planner was not done after ${seconds(why.limit)}, its limit`;
    case 'loop':
      return describeLoop(why);
  }
}

function seconds(milliseconds: number): string {
  return milliseconds >= 120_000 && milliseconds % 60_000 === 0
    ? `${milliseconds / 60_000} min`
    : `${Math.round(milliseconds / 1000)} s`;
}

/** How it is known that an agent waits for a person. */
export function formatAskSource(source: AskSource): string {
  return source === 'agent' ? 'reported by the agent' : 'seen on the screen';
}

/** What a session is for. */
export function describePurpose(purpose: Purpose): string {
  switch (purpose.for) {
    case 'plan':
      return `the planner of ${purpose.run}`;
    case 'setup':
      return `sets up ${purpose.task}${formatSetupOccasion(purpose.on)}`;
    case 'worktree-setup':
      return `sets up ${purpose.owner}`;
    case 'baseline':
      return `${purpose.check} on the base of ${purpose.run}`;
    case 'attempt':
      return `works on ${purpose.task}, try ${purpose.attempt}`;
    case 'takeover':
      return `${purpose.task} in your hands`;
    case 'check':
      return `${purpose.check} of ${purpose.task}${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'shell':
      return `shell ${purpose.name} of ${purpose.task}${purpose.program === undefined ? '' : `: ${purpose.program}`}`;
    case 'service':
      return `service ${purpose.service}`;
    case 'person':
      return purpose.command.join(' ');
  }
}

/** A worktree is set up at first, again for another attempt, and once more after merging. */
export function formatSetupOccasion(on: EventOf<'setup-passed'>['on']): string {
  if (on === undefined) return '';
  return on === 'merge' ? ' after merging' : ' again';
}

/** A command or request as a verb phrase: `approve-plan` reads as "approve a plan". */
export function formatIntent(intent: string): string {
  return Object.hasOwn(intentLabels, intent) ? (intentLabels[intent] ?? intent) : intent;
}

const intentLabels: Readonly<Record<string, string>> = {
  'start-run': 'start a run',
  'move-in-queue': 'move a run in the queue',
  'comment-plan': 'comment on a plan',
  'edit-plan': 'edit a plan',
  'reject-plan': 'reject a plan',
  'approve-plan': 'approve a plan',
  'choose-baseline': 'decide about a check that fails on the base',
  'baseline-again': 'check the base again',
  'plan-again': 'ask for a new plan',
  'grant-attempt': 'grant a try',
  'take-over': 'take over a task',
  'hand-back': 'hand back a task',
  'check-task': 'check a task',
  'reset-task': 'restart an agent with a fresh context',
  'pick-variant': 'pick a variant of a task',
  stop: 'stop something',
  resume: 'resume something',
  discard: 'discard something',
  'accept-run': 'accept a run',
  'adopt-branch': 'take over commits on the branch of a run',
  'restore-branch': 'restore the branch of a run',
  'extend-budget': 'raise a budget',
  'refresh-environment': 'refresh the environment of a run',
  'tidy-worktree': 'remove a worktree',
  'start-session': 'start a session',
  'send-input': 'type into a session',
  'answer-question': 'answer a question',
  'declare-service': 'declare a service',
  'start-service': 'start a service',
  'stop-service': 'stop a service',
  'restart-service': 'restart a service',
  'add-note': 'add a note',
  'acknowledge-intrusion': 'close a notice',
  'acknowledge-loop': 'close a warning about a loop',
};
