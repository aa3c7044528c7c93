import {
  type Command,
  type Effect,
  type Need,
  type Observation,
  type RunBudget,
  selectNeeds,
  selectRun,
  selectUndecided,
  type State,
  type UserCommand,
  wanted,
} from '../../../source/domain/index.ts';
import {createHarness, type Harness} from './harness.ts';
import {request} from './samples.ts';
import {sendChecked} from './simulation.ts';

/** The observation that an effect leads to. Undefined: the effect does not end. */
export type EffectResponder = (state: State, effect: Effect, at: number) => Observation | undefined;

/** A command that an agent sends by itself, asked for at every turn. */
export type AgentActivity = (state: State, turn: number, at: number) => Command | undefined;

export type BoundedRunOptions = {
  readonly respond: EffectResponder;
  readonly agent?: AgentActivity;
  /** How long an effect takes in milliseconds. @default 1000 */
  readonly takes?: (state: State, effect: Effect) => number | undefined;
  readonly budget?: RunBudget;
  readonly setup?: string;
  /** How often the person answers a need. */
  readonly maxAnswers?: number;
  /** The person's answer to a need. */
  readonly answer?: (need: Need, state: State) => UserCommand | undefined;
};

export type BoundedRunResult = {
  readonly harness: Harness;
  readonly starts: number;
  readonly needs: readonly Need[];
  readonly answers: number;
};

/** Far beyond every limit; more turns mean an endless loop. */
const maxTurns = 20_000;

/** Plays a run of two tasks against `respond` until nothing more happens without a person. */
export function runUntilIdle({
  respond,
  agent,
  takes,
  budget = {attemptWallClock: 3_600_000},
  setup,
  maxAnswers = 0,
  answer = continueAlways,
}: BoundedRunOptions): BoundedRunResult {
  const harness = createHarness();
  harness.time = 1_000_000;
  sendChecked(harness, {
    type: 'report',
    at: harness.time,
    saw: {
      type: 'project-read',
      project: {
        services: [{name: 'web', command: 'npm start', port: 3000}],
        limits: {workers: 2, runs: 1},
        ...(setup === undefined ? {} : {setup}),
      },
    },
  });
  sendChecked(harness, {
    type: 'start-run',
    request,
    budget,
    at: harness.time,
    by: {kind: 'person', client: 'ada'},
  });
  let answers = 0;
  for (let turn = 0; ; turn++) {
    if (turn >= maxTurns)
      throw new Error(
        `no end after ${maxTurns} turns and ${harness.events.length} events; wanted: ${wanted(
          harness.state,
        )
          .map(({key}) => key)
          .join(', ')}`,
      );
    const request = agent?.(harness.state, turn, harness.time);
    if (request !== undefined) sendChecked(harness, request);
    if (performNextEffect(harness, respond, takes)) continue;
    const command =
      answers < maxAnswers
        ? selectNeeds(harness.state)
            .map((need) => answer(need, harness.state))
            .find((found) => found !== undefined)
        : undefined;
    if (command === undefined && !approvePlan(harness)) break;
    if (
      command !== undefined &&
      sendChecked(harness, {
        ...command,
        at: (harness.time += 1000),
        by: {kind: 'person', client: 'ada'},
      }) === undefined
    )
      answers += 1;
    else if (command !== undefined) break;
  }

  return {
    harness,
    answers,
    needs: selectNeeds(harness.state),
    starts: harness.events.filter(({type}) => type === 'session-asked').length,
  };
}

/**
 * Performs one wanted effect and says whether it led to events. Time passes only when nothing else
 * happens.
 */
function performNextEffect(
  harness: Harness,
  respond: EffectResponder,
  takes: BoundedRunOptions['takes'] = () => undefined,
): boolean {
  const effects = wanted(harness.state);
  for (const effect of [
    ...effects.filter(({do: kind}) => kind !== 'wait'),
    ...effects
      .filter(({do: kind}) => kind === 'wait')
      .toSorted((a, b) => (a.do === 'wait' && b.do === 'wait' ? a.until - b.until : 0)),
  ]) {
    const at =
      effect.do === 'wait'
        ? Math.max(harness.time, effect.until)
        : harness.time + (takes(harness.state, effect) ?? 1000);
    const saw =
      effect.do === 'wait' ? {type: 'time-passed' as const} : respond(harness.state, effect, at);
    if (saw === undefined) continue;
    const before = harness.events.length;
    const isNamed =
      !saw.type.startsWith('session-') &&
      saw.type !== 'usage-counted' &&
      saw.type !== 'conversation-known';
    sendChecked(harness, {type: 'report', at, saw, ...(isNamed ? {effect: effect.key} : {})});
    if (harness.events.length === before) continue;
    harness.time = at;
    return true;
  }

  return false;
}

/** Approves the plan once, so that there is work. */
function approvePlan(harness: Harness): boolean {
  const stage = selectRun(harness.state, 'r1')?.stage;
  if (stage?.at !== 'reviewing' || stage.voided !== undefined) return false;
  const [red] = selectUndecided(selectRun(harness.state, 'r1')!);
  if (red !== undefined)
    return (
      sendChecked(harness, {
        type: 'choose-baseline',
        run: 'r1',
        check: red.result.check.name,
        choice: 'count',
        at: (harness.time += 1000),
        by: {kind: 'person', client: 'ada'},
      }) === undefined
    );
  const rejected = sendChecked(harness, {
    type: 'approve-plan',
    run: 'r1',
    plan: stage.proposal.hash,
    rules: stage.ground.rules.hash,
    base: stage.ground.base,
    at: (harness.time += 1000),
    by: {kind: 'person', client: 'ada'},
  });
  return rejected === undefined;
}

/** A person who continues after every need without looking at it. */
export function continueAlways(need: Need): UserCommand | undefined {
  switch (need.kind) {
    case 'trouble':
      return {type: 'resume', what: need.owner};
    case 'parked':
      return {type: 'resume', what: need.run};
    case 'stopped':
      return {type: 'grant-attempt', task: need.task};
    case 'planless':
      return {type: 'plan-again', run: need.run};
    case 'branch':
      return need.relation === 'ahead'
        ? {type: 'adopt-branch', run: need.run, commit: need.found}
        : {type: 'restore-branch', run: need.run, commit: need.found};
    case 'accept':
      return {type: 'accept-run', run: need.run, commit: need.commit};
    case 'service':
      return {type: 'restart-service', service: need.service};
    default:
      return undefined;
  }
}
