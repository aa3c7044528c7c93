import type {BaselineDecision, BaselineFailure} from '../baseline.ts';
import type {PlannerTurn} from '../events/run.ts';
import {isRunId, isSessionId, isTaskId, runIdIn, type WorktreeOwner} from '../ids.ts';
import type {
  Directive,
  Plan,
  Check as PlannedCheck,
  PlannedTask,
  RejectedAlternative,
  Rule,
  Rules,
} from '../plan.ts';
import type {
  AcceptWay,
  Because,
  LineComment,
  OpenOptions,
  ParkReason,
  PlanFailure,
  RepositoryNote,
  RunBase,
  RunBudget,
  RunEnvironment,
  RunRequest,
  WorkerMode,
} from '../run.ts';
import type {Readiness, ServiceFailure, ServiceSpec} from '../service.ts';
import type {LoopKind, Purpose, Usage} from '../session.ts';
import type {DiscardReason, LeftProcess, TroubleReason} from '../task.ts';
import type {
  Budget,
  Change,
  ChangedFile,
  CheckResult,
  Failure,
  FailureConfidence,
  Judgement,
  RejectedPath,
  RuleVerdict,
  StopReason,
} from '../verdict.ts';
import {
  either,
  type ShapeFields,
  flag,
  listOf,
  matching,
  nullable,
  number,
  oneOf,
  optional,
  record,
  tagged,
  text,
} from './check.ts';

// The records that events are made of.

export const runId = matching(isRunId);
export const taskId = matching(isTaskId);
export const sessionId = matching(isSessionId);
export const runOrTask = either(runId, taskId);
export const owner = matching(
  (id): id is WorktreeOwner =>
    isTaskId(id) || (/\.(?:plan|merge)$/.test(id) && isRunId(runIdIn(id as WorktreeOwner))),
);
export const texts = listOf(text);
export const onWhat = oneOf<'change' | 'merge'>({change: true, merge: true});

export const check = record<PlannedCheck>({name: text, command: text});

const readiness = tagged<'by', Readiness>('by', {
  port: {},
  http: {path: text},
  log: {pattern: text},
});

export const serviceSpec = record<ServiceSpec>({
  name: matching((name) => name !== ''),
  command: text,
  port: optional(number),
  ready: optional(readiness),
  per: optional(oneOf<'task'>({task: true})),
  of: optional(text),
  owner: optional(owner),
});

export const serviceFailure = tagged<'kind', ServiceFailure>('kind', {
  restarts: {times: number, steady: optional(number)},
  permanent: {code: number},
  'not-ready': {limit: number},
  unwatchable: {words: text},
});

export const workerMode = oneOf<WorkerMode>({interactive: true, headless: true});

export const runRequest = record<RunRequest>({
  objective: text,
  worker: text,
  planner: text,
  model: optional(text),
  plannerModel: optional(text),
  playbook: optional(text),
  skill: optional(text),
  workers: optional(workerMode),
  planners: optional(workerMode),
  checkout: optional(text),
  open: optional(
    record<OpenOptions>({
      on: optional(text),
      branch: optional(text),
      conversation: optional(text),
      variants: optional(texts),
      withoutPrompt: optional((value) => value === true),
    }),
  ),
  from: optional(runId),
  queued: flag,
});

export const runBudget = record<RunBudget>({
  tokens: optional(number),
  wallClock: optional(number),
  attemptTokens: optional(number),
  attemptWallClock: optional(number),
});

export const runEnvironment = record<RunEnvironment>({
  from: oneOf<RunEnvironment['from']>({shell: true, daemon: true}),
  hash: text,
  variables: listOf(record<RunEnvironment['variables'][number]>({name: text, hash: text})),
});

const globs = {globs: texts};
const max = {most: number};
const directive = tagged<'kind', Directive>('kind', {
  protect: globs,
  only: globs,
  'forbid-path': globs,
  'max-files': max,
  'max-lines': max,
  forbid: {pattern: text, flags: text},
  require: {command: text},
});

export const rules = record<Rules>({
  rules: listOf(
    record<Rule>({
      number: text,
      text,
      line: number,
      tooth: optional(directive),
      check: optional(text),
    }),
  ),
  checks: listOf(check),
  hash: text,
});

export const base = record<RunBase>({
  base: text,
  branch: nullable(text),
  rules,
  ownBranch: optional(text),
  baseline: optional((value) => value === true),
  notes: optional(listOf(record<RepositoryNote>({about: text, words: text}))),
});

export const because = record<Because>({
  reason: optional(text),
  comments: listOf(record<LineComment>({line: number, text})),
});

const plannedTask = record<PlannedTask>({
  id: matching((id) => /^t[1-9]\d*$/.test(id)),
  variantOf: optional(text),
  title: text,
  brief: text,
  files: texts,
  after: texts,
  services: texts,
  agent: optional(text),
  model: optional(text),
  skill: optional(text),
  tools: optional(texts),
});

export const plan = record<Plan>({
  objective: text,
  problem: text,
  rootCause: text,
  assumptions: texts,
  invariants: texts,
  risks: texts,
  rejected: listOf(record<RejectedAlternative>({alternative: text, reason: text})),
  tasks: listOf(plannedTask),
  validation: listOf(check),
});

export const loopKind = oneOf<LoopKind>({
  'same-calls': true,
  'same-failures': true,
  'undone-edits': true,
  unchanged: true,
});

const loop = {loop: loopKind, evidence: text, times: number, since: number};

const silence = {silentFor: number, limit: number};

export const planFailure = tagged<'kind', PlanFailure>('kind', {
  invalid: {problems: texts, words: optional(text)},
  'planner-wrote': {paths: texts},
  'planner-failed': {words: text},
  'no-progress': silence,
  interrupted: {times: number},
  'wall-clock': {used: number, limit: number},
  loop,
});

export const parkReason = tagged<'kind', ParkReason>('kind', {
  crashing: {effect: text, times: number},
  tampering: {paths: texts},
  misfit: {event: text, seq: number},
});

const leftProcess = record<LeftProcess>({
  pid: number,
  startTime: number,
  bootId: text,
  command: text,
  because: text,
});

export const troubleReason = tagged<'kind', TroubleReason>('kind', {
  effect: {effect: text, words: text},
  setup: {code: nullable(number), limit: optional(number)},
  'broken-check': {name: text},
  'red-on-base': {name: text},
  'agent-unavailable': {
    words: text,
    pauses: optional(record({times: number, total: number, next: number})),
  },
  'worktree-gone': {},
  leftovers: {processes: listOf(leftProcess)},
});

export const discardReason = tagged<'kind', DiscardReason>('kind', {
  person: {},
  needs: {task: taskId},
  'not-picked': {task: taskId},
});

const rejectedPaths = optional(listOf(record<RejectedPath>({path: text, why: text})));

const failureConfidence = oneOf<FailureConfidence>({
  found: true,
  likely: true,
  'end-of-log': true,
});

type FailureKinds = {
  readonly [Kind in Failure['kind']]: ShapeFields<
    Omit<Extract<Failure, {readonly kind: Kind}>, 'kind'>
  >;
};

const failureKinds: FailureKinds = {
  'no-change': {denied: optional(texts)},
  scope: {paths: texts, refused: rejectedPaths},
  rule: {number: text, detail: text},
  check: {
    name: text,
    code: text,
    on: onWhat,
    firstFailure: text,
    confidence: optional(failureConfidence),
    source: optional(text),
  },
  conflict: {paths: texts, hunks: optional(text)},
  agent: {words: text},
};

export const failure = tagged<'kind', Failure>('kind', failureKinds);

const budget = oneOf<Budget>({tokens: true, 'wall-clock': true, 'no-progress': true});

export const stopReason = tagged<'kind', StopReason>('kind', {
  ...failureKinds,
  'gave-up': {words: text},
  interrupted: {times: number},
  budget: {budget, used: number, limit: number},
  loop,
});

const changedFile = record<ChangedFile>({
  path: text,
  how: oneOf<ChangedFile['how']>({added: true, modified: true, deleted: true}),
  added: number,
  removed: number,
});

export const change = record<Change>({
  tree: text,
  files: listOf(changedFile),
  reads: optional(text),
});

const verdict = oneOf<RuleVerdict['verdict']>({kept: true, broken: true, 'not-checkable': true});

export const judgement = record<Judgement>({
  outside: texts,
  refused: rejectedPaths,
  rules: listOf(record<RuleVerdict>({number: text, verdict, detail: optional(text)})),
});

export const checkResult = record<CheckResult>({
  check,
  outcome: oneOf<CheckResult['outcome']>({
    passed: true,
    failed: true,
    'timed-out': true,
    broken: true,
  }),
  firstFailure: optional(text),
  confidence: optional(failureConfidence),
  source: optional(text),
  failures: optional(texts),
  touched: texts,
});

export const checkResults = listOf(checkResult);

export const baselineFailure = tagged<'kind', BaselineFailure>('kind', {
  setup: {code: nullable(number), limit: optional(number)},
  interrupted: {times: number},
});

export const baselineDecision = oneOf<BaselineDecision>({
  mend: true,
  ignore: true,
  'no-new': true,
  count: true,
});

const attempt = {task: taskId, attempt: number};

export const asking = oneOf<1 | 2>({1: true, 2: true});

export const plannerTurn = record<PlannerTurn>({
  session: sessionId,
  turn: number,
  handIns: optional(number),
});

export const purpose = tagged<'for', Purpose>('for', {
  plan: {
    run: runId,
    round: number,
    asking,
    mode: optional(oneOf<'interactive'>({interactive: true})),
    waits: optional((value) => value === true),
  },
  setup: {task: taskId, on: optional(onWhat)},
  'worktree-setup': {run: runId, owner},
  baseline: {run: runId, check: text, command: text},
  attempt: {
    ...attempt,
    mode: optional(oneOf<'interactive'>({interactive: true})),
    unprompted: optional((value) => value === true),
  },
  takeover: {task: taskId},
  check: {...attempt, check: text, on: onWhat},
  shell: {task: taskId, name: text, program: optional(text)},
  service: {service: text},
  person: {name: text, command: texts, directory: text, prompt: optional(text)},
});

export const usage = record<Usage>({input: number, output: number, cost: optional(number)});

export const acceptWay = oneOf<AcceptWay>({
  merge: true,
  squash: true,
  'squash-tasks': true,
  rebase: true,
});
