import {
  type Need,
  selectRun,
  selectSession,
  selectTask,
  type State,
  taskIdOfSession,
} from '../../domain/index.ts';
import {
  describeAdvice,
  describeLoop,
  describeMissing,
  describeMoved,
  describeParking,
  describePlanFailure,
  describeServiceFailure,
  describeTrouble,
  formatVariantChange,
  formatVariantChecks,
  type StopReport,
  toNeedLabel,
  toTaskTitle,
} from '../../reports/index.ts';
import {formatCount, formatShortDuration, formatTokens} from '../../shared/index.ts';
import {formatWaitingTime} from '../model/format-age.ts';
import {selectVariantsView} from './variants-view.ts';
import type {SignName} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';

/** What a need says, as data: a sentence, then paragraphs and lists. */
export type NeedView = {readonly lead: string; readonly parts: readonly NeedPart[]};

export type NeedPart =
  | {readonly kind: 'text'; readonly text: string; readonly tone?: Token}
  | {readonly kind: 'list'; readonly items: readonly NeedListItem[]}
  /** A command to copy, or the text that a program printed. */
  | {readonly kind: 'fact'; readonly name: string; readonly text: string};

export type NeedListItem = {readonly text: string; readonly sign?: SignName};

export type NeedSource = {
  readonly state: State;
  readonly now: number;
  /** The daemon's report on a task, once it is there. */
  readonly stop?: StopReport | undefined;
};

/** Needs that have no screen of their own: all but plans, questions and stopped tasks. */
export type PlainNeed = Exclude<Need, {kind: 'plan' | 'stopped' | 'question'}>;

export function selectNeedView(need: PlainNeed, source: NeedSource): NeedView {
  const {state, now} = source;
  switch (need.kind) {
    case 'planless':
      return viewOfPlanless(need);
    case 'uncertain-input':
      return {
        lead: `Was this typed? ${JSON.stringify(need.text)}`,
        parts: [
          ...(need.why === undefined ? [] : [text(sentence(need.why))]),
          text('It may have been typed just when a process died. Look at its pane, then answer.'),
        ],
      };
    case 'planner-waits':
      return viewOfWaitingPlanner(need);
    case 'turn':
      return {
        lead:
          need.isOver === true
            ? 'Its agent has ended. Nothing is checked before you ask for it.'
            : 'The agent waits for you. Nothing is checked before you ask for it.',
        parts:
          need.words === undefined || need.words.trim() === ''
            ? []
            : [{kind: 'fact', name: 'it said last', text: need.words.trim()}],
      };
    case 'pick':
      return viewOfPick(need, state, now);
    case 'draft':
      return {
        lead: 'Your unfinished text stands in the input of this agent.',
        parts: [text('Send it or delete it in its pane. Its next prompt is typed after that.')],
      };
    case 'unstoppable':
      return {lead: `It does not end: ${need.words}`, parts: adviceParts(need)};
    case 'loop':
      return {
        lead: `It seems to go in circles: ${describeLoop(need)}`,
        parts: [
          text(`It began ${formatWaitingTime(now - need.from)} ago. The agent goes on meanwhile.`),
        ],
      };
    case 'trouble':
      return {
        lead: `Blocked: ${describeTrouble(need.why)}`,
        parts: [...adviceParts(need), ...missingParts(source.stop)],
      };
    case 'parked':
      return {lead: `Paused for safety: ${describeParking(need.why)}`, parts: adviceParts(need)};
    case 'budget':
      return {
        lead: `Budget reached: ${describeBudget(need.exhausted)}`,
        parts: adviceParts(need),
      };
    case 'accept':
      return viewOfAccept(need, state);
    case 'branch':
      return {
        lead: sentence(describeMoved(need)),
        parts: [
          {
            kind: 'fact',
            name: 'compare',
            text: `git diff ${need.expected.slice(0, 12)} ${need.found.slice(0, 12)}`,
          },
          ...adviceParts(need),
        ],
      };
    case 'nothing-left':
      return {lead: 'Every task was discarded.', parts: listTasks(state, need.run)};
    case 'service':
      return viewOfService(need, state);
    case 'service-missing':
      return {
        lead: `It cannot start without the service ${need.service}.`,
        parts: [
          text(
            state.services.some(({spec}) => spec.name === need.service)
              ? 'You stopped it, or it has not run yet. The task starts when it is ready.'
              : `The service ${need.service} is not declared: name it in .orchestra/project.yaml, then start it here.`,
          ),
        ],
      };
    case 'intrusion':
      return {lead: describeIntrusion(need, state), parts: []};
  }
}

/** What to do about dependencies that the worktree of a task lacks. */
export function missingParts(stop: StopReport | undefined): NeedPart[] {
  return stop?.missing === undefined ? [] : [text(describeMissing(stop.missing))];
}

export function adviceParts(need: Need): NeedPart[] {
  const advice = describeAdvice(need);
  if (advice === undefined) return [];
  const items = advice.paths.map((path) => ({text: path}));
  return [text(advice.text), ...(items.length === 0 ? [] : [{kind: 'list' as const, items}])];
}

/** A need in one line: what it is about, and what it is. */
export function describeNeedShort(need: Need, state: State): string {
  const {title, text: label} = toNeedLabel(state, need);
  return `${title}: ${label}`;
}

function viewOfWaitingPlanner({words, problems}: Extract<Need, {kind: 'planner-waits'}>): NeedView {
  return {
    lead: 'The planner waits for your answer.',
    parts: [
      ...(words === undefined ? [] : [{kind: 'fact' as const, name: 'it says', text: words}]),
      ...(problems === undefined
        ? []
        : [
            text('What it handed in was not a valid plan:'),
            {kind: 'list' as const, items: problems.map((problem) => ({text: problem}))},
          ]),
      text('Write to it in its pane. It hands in the plan when you have agreed.'),
    ],
  };
}

function viewOfPick(need: Extract<Need, {kind: 'pick'}>, state: State, now: number): NeedView {
  const view = selectVariantsView(need.task, state, now);
  const variants = view?.variants ?? [];
  return {
    lead: `${need.green.length} of ${variants.length} variants are green. One is merged: the one that you pick.`,
    parts: [
      {
        kind: 'list',
        items: variants.map((variant) => ({
          text: `${variant.number} ${variant.agent}: ${formatVariantChecks(variant)}, ${formatVariantChange(variant)}, ${formatTokens(variant.tokens)} tokens`,
          sign: need.green.includes(variant.task) ? 'passed' : 'wait',
        })),
      },
    ],
  };
}

function viewOfPlanless({why, ...need}: Extract<Need, {kind: 'planless'}>): NeedView {
  if (why.kind !== 'invalid')
    return {
      lead: `Planning failed: ${describePlanFailure(why)}`,
      parts: adviceParts({...need, why}),
    };
  return {
    lead: 'Planning failed: what came was not a plan, twice.',
    parts: [
      {kind: 'list', items: why.problems.map((problem) => ({text: problem, sign: 'failed'}))},
      ...(why.words === undefined || why.words.trim() === ''
        ? []
        : [{kind: 'fact' as const, name: 'it said last', text: why.words.trim()}]),
    ],
  };
}

function viewOfAccept(need: Extract<Need, {kind: 'accept'}>, state: State): NeedView {
  const checked =
    need.isUnchecked === true
      ? 'All checks were green after the last merge; none has seen what you took over after it.'
      : 'All checks are green.';
  return need.refusal === undefined
    ? {lead: checked, parts: listTasks(state, need.run)}
    : {
        lead: `Not accepted: ${need.refusal}`,
        parts: [text(`Your branch is as it was. ${checked}`), ...listTasks(state, need.run)],
      };
}

function describeBudget({
  budget,
  used,
  limit,
}: Extract<Need, {kind: 'budget'}>['exhausted']): string {
  return budget === 'tokens'
    ? `${formatCount(used)} of ${formatCount(limit)} tokens`
    : `${formatShortDuration(used)} of ${formatShortDuration(limit)}`;
}

function listTasks(state: State, run: `r${number}`): NeedPart[] {
  const found = selectRun(state, run);
  const items = (found?.tasks ?? []).map((task, index): NeedListItem => {
    const {stage, planned} = task;
    const title = found === undefined ? planned.title : toTaskTitle(found, task);
    return {
      text: `${index + 1} ${title}${stage.at === 'merged' ? '' : `  ${stage.at}`}`,
      sign: stage.at === 'merged' ? 'passed' : 'discarded',
    };
  });
  return items.length === 0 ? [] : [{kind: 'list', items}];
}

function viewOfService({service, stage}: Extract<Need, {kind: 'service'}>, state: State): NeedView {
  const command = state.services.find(({spec}) => spec.name === service)?.spec.command;
  return {
    lead:
      stage.at === 'failed'
        ? `${service} failed: ${describeServiceFailure(stage.why)}`
        : `Its port belongs to ${stage.owner}`,
    parts: [
      ...(command === undefined ? [] : [{kind: 'fact' as const, name: 'runs', text: command}]),
      {kind: 'fact', name: 'printed', text: `orchestra service logs ${service}`},
    ],
  };
}

/** `The agent of 1 tried to approve a plan. Refused: only you can.` */
function describeIntrusion(need: Extract<Need, {kind: 'intrusion'}>, state: State): string {
  const {session: id, intent, words} = need;
  const attempt = intents[intent] ?? intent.replaceAll('-', ' ');
  const {number, title} = toNeedLabel(state, need);
  const who = number === undefined ? title : `The agent of ${number}`;
  return selectSession(state, id) === undefined
    ? `Somebody asks in your name: ${words ?? id} tried to ${attempt}. Refused: only you can.`
    : `${who} tried to ${attempt}. Refused: only you can.`;
}

const intents: Readonly<Record<string, string>> = {
  'approve-plan': 'approve a plan',
  'reject-plan': 'send a plan back',
  'accept-run': 'accept a run',
  'grant-attempt': 'grant a try',
  'extend-budget': 'raise a budget',
};

/** The task of the session that a need is about. */
export function selectSessionTask(need: Need, state: State): ReturnType<typeof selectTask> {
  const session = 'session' in need ? selectSession(state, need.session) : undefined;
  const id = session === undefined ? undefined : taskIdOfSession(session);
  return id === undefined ? undefined : selectTask(state, id);
}

function text(line: string, tone?: Token): NeedPart {
  return {kind: 'text', text: line, ...(tone !== undefined && {tone})};
}

function sentence(line: string): string {
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}
