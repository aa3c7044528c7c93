import {
  isRunId,
  isTaskId,
  type Need,
  runIdIn,
  runIdOfSession,
  selectRun,
  selectSession,
  selectTask,
  type SessionId,
  type State,
  type StopReason,
  type TaskId,
  taskIdOfSession,
} from '../../domain/index.ts';
import {pluralize} from '../../shared/index.ts';
import {toSafeLine} from '../terminal-text.ts';
import {selectTaskNumber} from '../runs/task-track.ts';
import {subjectOfNeed} from './format-need.ts';

/** A need in short, as the inbox and the attention row show it. */
export type NeedLabel = {
  readonly id: string;
  readonly kind: Need['kind'];
  readonly since: number;
  readonly sign: 'asks' | 'plan' | 'stopped' | 'ready' | 'blocked';
  /** The number of the task that it is about. */
  readonly number?: number;
  /** What it is about: the title of a task, the objective of a run, the name of a service. */
  readonly title: string;
  /** What it is: `asks a question`, `a plan to approve`, `stopped after 2 tries`. */
  readonly words: string;
  /** What comes after the title in a sentence: `asks: Which answers are final?`. */
  readonly text: string;
  /** What the key leads to. */
  readonly verb: 'answer' | 'read the plan' | 'decide' | 'accept';
};

export function toNeedLabel(state: State, need: Need): NeedLabel {
  const {number, title} = findSubject(state, need);
  const {sign, words, text} = describeInShort(state, need);
  return {
    id: need.id,
    kind: need.kind,
    since: need.since,
    sign,
    ...(number !== undefined && {number}),
    title: toSafeLine(title),
    words: toSafeLine(words),
    text: toSafeLine(text ?? words),
    verb: selectVerb(need),
  };
}

function selectVerb({kind}: Need): NeedLabel['verb'] {
  if (kind === 'question') return 'answer';
  if (kind === 'plan') return 'read the plan';
  return kind === 'accept' ? 'accept' : 'decide';
}

type Subject = {readonly number?: number | undefined; readonly title: string};

function findSubject(state: State, need: Need): Subject {
  const subject = subjectOfNeed(need);
  if (isTaskId(subject)) return subjectOfTask(state, subject);
  if (isRunId(subject)) return {title: selectRun(state, subject)?.request.objective ?? subject};
  return 'session' in need ? subjectOfSession(state, need.session) : {title: subject};
}

function subjectOfTask(state: State, id: TaskId): Subject {
  const run = selectRun(state, runIdIn(id));
  return {
    number: run === undefined ? undefined : selectTaskNumber(run, id),
    title: selectTask(state, id)?.planned.title ?? id,
  };
}

function subjectOfSession(state: State, id: SessionId): Subject {
  const session = selectSession(state, id);
  if (session === undefined) return {title: 'Somebody'};
  const task = taskIdOfSession(session);
  if (task !== undefined) return subjectOfTask(state, task);
  const {purpose} = session;
  if (purpose.for === 'person') return {title: purpose.name};
  if (purpose.for === 'service') return {title: purpose.service};
  if (purpose.for === 'plan') return {title: 'The planner'};
  const run = runIdOfSession(session);
  return {title: (run === undefined ? undefined : selectRun(state, run)?.request.objective) ?? id};
}

type Short = Pick<NeedLabel, 'sign' | 'words'> & {readonly text?: string};

function describeInShort(state: State, need: Need): Short {
  switch (need.kind) {
    case 'plan':
      return {sign: 'plan', words: 'a plan to approve', text: describePlan(need)};
    case 'planner-waits':
      return {
        sign: 'asks',
        words: 'its planner waits for your answer',
        ...(need.words === undefined ? {} : {text: `its planner waits: ${need.words}`}),
      };
    case 'planless':
      return {sign: 'stopped', words: 'planning failed'};
    case 'question':
      return need.secret
        ? {sign: 'asks', words: 'asks for a secret', text: `asks for a secret: ${need.question}`}
        : {sign: 'asks', words: 'asks a question', text: `asks: ${need.question}`};
    case 'uncertain-input':
      return {sign: 'blocked', words: 'was this typed?', text: `was this typed? ${need.text}`};
    case 'turn':
      return need.isOver === true
        ? {sign: 'stopped', words: 'its agent has ended'}
        : {sign: 'asks', words: 'waits for you'};
    case 'pick':
      return {
        sign: 'ready',
        words:
          need.green.length === 1
            ? '1 variant is green'
            : `${need.green.length} variants to pick from`,
      };
    case 'draft':
      return {sign: 'blocked', words: 'has your unfinished text'};
    case 'unstoppable':
      return {sign: 'blocked', words: 'does not end', text: `does not end: ${need.words}`};
    case 'loop':
      return {sign: 'blocked', words: 'seems to go in circles'};
    case 'stopped':
      return describeStopped(state, need.task, need.why);
    case 'trouble':
      return {sign: 'blocked', words: 'blocked'};
    case 'parked':
      return {sign: 'blocked', words: 'paused for safety'};
    case 'budget':
      return {sign: 'blocked', words: 'budget reached'};
    case 'accept':
      return need.refusal === undefined
        ? {sign: 'ready', words: 'ready to accept'}
        : {sign: 'blocked', words: 'not accepted', text: `not accepted: ${need.refusal}`};
    case 'branch':
      return {sign: 'blocked', words: 'its branch was moved'};
    case 'nothing-left':
      return {sign: 'blocked', words: 'every task was discarded'};
    case 'service':
      return {
        sign: 'stopped',
        words: need.stage.at === 'failed' ? 'service failed' : 'port taken',
      };
    case 'service-missing':
      return {sign: 'blocked', words: `needs ${need.service}`};
    case 'intrusion':
      return {sign: 'blocked', words: 'refused: only you can', text: `tried to ${need.intent}`};
  }
}

function describePlan({red, voided}: Extract<Need, {kind: 'plan'}>): string {
  if (red !== undefined) return `The plan is ready. Failing before any change: ${red.join(', ')}`;
  if (voided === 'rules-changed') return 'The rules changed. Please approve again.';
  if (voided === 'plan-changed') return 'The plan changed. Please approve again.';
  return 'The plan is ready. Nothing changes before you approve it.';
}

function describeStopped(state: State, id: TaskId, why: StopReason): Short {
  const tries = selectTask(state, id)?.attempts.length ?? 0;
  const short = tries === 0 ? 'stopped' : `stopped after ${pluralize(tries, 'try', 'tries')}`;
  return {sign: 'stopped', words: short, text: `${short}: ${describeStopShort(why)}`};
}

/** Why a task stopped, in a few words. */
export function describeStopShort(why: StopReason): string {
  switch (why.kind) {
    case 'no-change':
      return 'nothing was changed';
    case 'scope':
      return 'changes outside the plan';
    case 'rule':
      return `rule ${why.number} is broken`;
    case 'check':
      return `${why.name} failed${why.on === 'merge' ? ' after merging' : ''}`;
    case 'conflict':
      return 'conflicts with merged work';
    case 'agent':
      return 'the agent failed';
    case 'gave-up':
      return 'the agent gave up';
    case 'interrupted':
      return `interrupted ${why.times} times`;
    case 'budget':
      return {tokens: 'token limit', 'wall-clock': 'out of time', 'no-progress': 'no progress'}[
        why.budget
      ];
    case 'loop':
      return 'went in circles';
  }
}
