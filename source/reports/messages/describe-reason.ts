import type {
  AskSource,
  BaselineFailure,
  EventOf,
  Failure,
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
      return `changed outside the plan: ${failure.paths
        .map((path) => {
          const why = failure.refused?.find((rejected) => rejected.path === path)?.why;
          return why === undefined ? path : `${path} (${why})`;
        })
        .join(', ')}`;
    case 'rule':
      return `rule ${failure.number} is broken: ${failure.detail}`;
    case 'check':
      // The first line names the tool that printed the failure; an unknown tool is left out.
      return `${failure.code}${failure.on === 'merge' ? ' after merging' : ''}: ${failure.firstFailure.replace(/^unknown\n/, '')}`;
    case 'conflict':
      return `conflicts with merged work in ${failure.paths.join(', ')}`;
    case 'agent':
      return `the agent failed: ${failure.words}`;
  }
}

const networkRefusals: Readonly<Record<NetworkRefusal, string>> = {
  'not-listed': 'the project does not list this host',
  'port-not-listed': 'the project lists the host, but not this port',
  'private-address': 'a listed name that leads to this machine or into a private network',
  'not-a-host': 'no name of a host and no address',
  'too-many': 'too many to name each',
};

export function describeNetworkRefusal({
  host,
  port,
  why,
}: Pick<EventOf<'network-refused'>, 'host' | 'port' | 'why'>): string {
  return why === 'too-many'
    ? `more of the network: ${networkRefusals[why]}`
    : `${host}:${port}: ${networkRefusals[why]}`;
}

export function describeStop(why: StopReason): string {
  switch (why.kind) {
    case 'gave-up':
      return `the agent gave up: ${why.words}`;
    case 'interrupted':
      return `it was cut short ${why.times} times`;
    case 'budget':
      if (why.budget === 'no-progress')
        return `it made no progress for ${formatAge(why.used)}: no new words, no change in its worktree, no process of its that works`;
      return why.budget === 'tokens'
        ? `it used ${why.used} of ${why.limit} tokens`
        : `it was not done after ${seconds(why.limit)}, which is all that an attempt may take`;
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
      return `its agent made the same call ${times} times with the same answer, and nothing new between: ${evidence}`;
    case 'same-failures':
      return `the same command failed ${times} times in the same way, and nothing was changed between: ${evidence}`;
    case 'undone-edits':
      return `its agent brought back what was in a file before, ${times} times in a row: ${evidence}`;
    case 'unchanged':
      return `nothing in the worktree has changed for ${times} min while its agent works${evidence === '' ? '' : `: ${evidence}`}`;
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
        ? 'its setup was cut short again and again'
        : `its setup ended with exit ${why.code}`;
    case 'broken-check':
      return `the check "${why.name}" cannot run`;
    case 'red-on-base':
      return `the check "${why.name}" is red, and is red on the untouched base as well`;
    case 'agent-unavailable':
      return `its agent is not available${why.pauses === undefined ? '' : `, ${describePauses(why.pauses)}`}: ${why.words}`;
    case 'worktree-gone':
      return 'its worktree is gone';
    case 'leftovers':
      return `${why.processes.length === 1 ? 'a process that it may have left runs on' : `${why.processes.length} processes that it may have left run on`}: ${why.processes.map(({pid, command, because}) => `pid ${pid} ${command} (${because})`).join(', ')}`;
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
    times === 0 ? '' : `was put off ${pluralize(times, 'time')} (${formatAge(total)} in all) `;
  return `${before}${before === '' ? '' : 'and '}would have to be waited for ${next > 365 * 86_400_000 ? 'for more than a year' : formatAge(next)}${before === '' ? '' : ' more'}`;
}

/** Why the base could not be checked. */
export function describeBaselineFailure(why: BaselineFailure): string {
  if (why.kind === 'interrupted') return `its checks were cut short ${why.times} times`;
  if (why.limit !== undefined) return `its setup was not done after ${seconds(why.limit)}`;
  return `its setup ended with exit ${why.code ?? 'unknown'}`;
}

export function describeServiceFailure(why: ServiceFailure): string {
  switch (why.kind) {
    case 'permanent':
      return `exit ${why.code} says it is no use`;
    case 'restarts':
      return why.steady === undefined
        ? `it died after ${pluralize(why.times, 'start')} within a minute`
        : `it died ${why.times} times in a row, never after more than ${formatAge(why.steady)}`;
    case 'not-ready':
      return `it was not ready ${formatAge(why.limit)} after its start`;
    case 'unwatchable':
      return `nobody can tell how it is: ${why.words}`;
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
    ahead: 'there are commits of somebody else on top of it',
    behind: 'somebody took it back behind what was merged',
    apart: 'what is there does not hold what was merged',
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
  renew: 'laying its work over what is merged',
  remove: 'removing its worktree',
  prepare: 'preparing its work',
  capture: 'taking up its change',
  commit: 'committing its change',
  'build-merge': 'merging it',
  'publish-merge': 'merging it',
  'bring-home': 'bringing it into your branch',
  summary: 'writing its summary',
  'read-plan': 'reading its plan',
  'read-outcome': 'reading how its agent ended',
  'read-check': 'reading its check',
  'read-baseline': 'reading a check on its base',
  'recall-baseline': 'looking up what is known about its base',
  'read-merge-check': 'reading its check after merging',
};

export function describeParking(why: ParkReason): string {
  switch (why.kind) {
    case 'crashing':
      return `orchestra crashed ${why.times} times during ${why.effect}`;
    case 'tampering':
      return `somebody changed what runs in git: ${why.paths.join(', ')}`;
    case 'misfit':
      return `event ${why.seq}, ${why.event}, does not fit what came before`;
  }
}

export function describePlanFailure(why: PlanFailure): string {
  switch (why.kind) {
    case 'invalid':
      return `what came was not a plan, twice: ${why.problems[0] ?? 'no reason given'}${why.words === undefined || why.words === '' ? '' : `. The last it said: ${why.words.replaceAll(/\s+/g, ' ').trim()}`}`;
    case 'planner-wrote':
      return `the planner changed files: ${why.paths.join(', ')}`;
    case 'planner-failed':
      return `the planner failed: ${why.words}`;
    case 'no-progress':
      return `the planner did nothing for ${seconds(why.silentFor)}`;
    case 'interrupted':
      return `the planner was cut short ${why.times} times`;
    case 'wall-clock':
      return `the planner was not done after ${seconds(why.limit)}, which is all that it may take`;
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
  return source === 'agent' ? 'told by the agent' : 'seen on the screen';
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
      return `works on ${purpose.task}, attempt ${purpose.attempt}`;
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
