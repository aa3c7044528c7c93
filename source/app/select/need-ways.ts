import {type Need, runIdIn, selectRun, type State} from '../../domain/index.ts';
import {selectDependents} from '../../reports/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {Context} from '../keymap/binding.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from '../model/model.ts';
import {isOpenNeed, selectAnswerOptions} from '../model/needs-queue.ts';
import {focusedPane} from '../model/pane-grid.ts';
import {type SizeClass, toSizeClass} from '../model/size-class.ts';
import {explainTypingRejected} from '../model/typing.ts';
import {selectSessionTask} from './need-view.ts';

/** A way on: its key, what it does, and what follows from it. The first is the main one. */
export type NeedWay = {
  readonly action: ActionName;
  readonly keys: string;
  readonly text: string;
  readonly effect?: string;
};

/** The decision bar of a need: the ways on, and one sentence on what follows or is kept. */
export type NeedWays = {readonly ways: readonly NeedWay[]; readonly follows: string};

export function selectNeedWays(model: Model, state: State): NeedWays {
  const {need} = model;
  if (need === undefined || !isOpenNeed(need, state)) return {ways: [], follows: ''};
  const {context, ways, follows} = waysOf(model, need, state);
  return {
    ways: ways.map(([action, text, effect]) => ({
      action,
      keys:
        action === 'option' && need.kind === 'question'
          ? formatDigits(selectAnswerOptions(need).length)
          : keyFor(model, action, context),
      text,
      ...(effect !== undefined && {effect}),
    })),
    follows,
  };
}

/**
 * Whether the ways on are part of the text: a task that stopped has too many of them for a bar in a
 * narrow window.
 */
export function isBarInText({need, size}: Pick<Model, 'need' | 'size'>): boolean {
  return need?.kind === 'stopped' && !hasInbox(toSizeClass(size));
}

/** The list of all needs is there from `medium` on. */
export function hasInbox(sizeClass: SizeClass): boolean {
  return sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
}

type Row = readonly [action: ActionName, text: string, effect?: string];
type Table = {
  readonly context: Context;
  readonly ways: readonly Row[];
  readonly follows: string;
};

function waysOf(model: Model, need: Need, state: State): Table {
  switch (need.kind) {
    case 'plan':
      return {
        context: 'need-plan',
        ways: [['see-plan', 'read the plan']],
        follows: 'Nothing changes before you approve it.',
      };
    case 'planless':
      return {
        context: 'need-planless',
        ways: [
          ['plan-again', 'plan again with a hint'],
          ['discard', 'discard the run'],
        ],
        follows: 'Your branch is not touched.',
      };
    case 'question':
      return waysOfQuestion(model, need, state);
    case 'uncertain-input':
      return {
        context: 'need-question',
        ways: [['answer', 'write it now'], ...typingWays(model, state)],
        follows: 'Nothing is typed twice by itself.',
      };
    case 'planner-waits':
      return {
        context: 'need-question',
        ways: [['answer', 'answer it'], ...typingWays(model, state)],
        follows: 'Nothing changes before you approve a plan.',
      };
    case 'turn':
      return {
        context: 'need-turn',
        ways: [
          ...(need.isOver === true
            ? [['take-over', 'continue its conversation'] as const]
            : typingWays(model, state)),
          ['check', 'check its work', 'what is red, it repairs once'],
          ['discard', 'discard it', 'the change is kept in a ref'],
        ],
        follows: 'Nothing is checked or merged before you ask for it.',
      };
    case 'pick':
      return {
        context: 'need-pick',
        ways: [['screen-variants', 'compare them and pick one']],
        follows: 'None is merged before you pick. The others are kept in refs.',
      };
    case 'draft':
      return {
        context: 'need-question',
        ways: typingWays(model, state),
        follows: 'Nothing is typed over your text.',
      };
    case 'unstoppable':
      return {
        context: 'need-unstoppable',
        ways: typingWays(model, state),
        follows: 'Nothing starts in its place as long as it lives.',
      };
    case 'loop':
      return waysOfLoop(need, state);
    case 'stopped':
      return waysOfStopped(model);
    case 'trouble':
    case 'parked':
      return {
        context: 'need-halted',
        ways: [
          ['resume', 'resume'],
          ['discard', need.kind === 'parked' ? 'discard the run' : 'discard it'],
        ],
        follows: `Paused until you resume it (${keyFor(model, 'resume', 'need-halted')}).`,
      };
    case 'budget':
      return {
        context: 'need-budget',
        ways: [
          ['more-budget', 'double the budget'],
          ['screen-audit', 'what it was spent on'],
          ['discard', 'discard the run'],
        ],
        follows: `Paused; nothing is lost. ${keyFor(model, 'more-budget', 'need-budget')} doubles the budget.`,
      };
    case 'accept':
      return waysOfAccept(model, need, state);
    case 'branch':
      return waysOfBranch(need);
    case 'nothing-left':
      return {
        context: 'need-empty',
        ways: [['discard', 'discard the run']],
        follows: 'What was done is kept in refs.',
      };
    case 'service':
      return {
        context: 'need-service',
        ways: [
          ['restart-service', 'start it again'],
          ['stop-service', 'go without it'],
        ],
        follows: 'Tasks that need it wait.',
      };
    case 'service-missing':
      return {
        context: 'need-missing',
        ways: [
          ['start-service', 'start the service'],
          ['discard', 'discard the task'],
        ],
        follows: 'The task waits for it.',
      };
    case 'intrusion':
      return {
        context: 'need-intrusion',
        ways: [['seen', 'got it']],
        follows: 'It was refused. Nothing happened.',
      };
  }
}

function waysOfQuestion(
  model: Model,
  need: Extract<Need, {kind: 'question'}>,
  state: State,
): Table {
  const follows = `${describeWaiting(need, state)}Nothing is sent before you press a key.`;
  if (need.secret)
    return {
      context: 'need-secret',
      ways: [['answer', 'write it, unseen'], ...typingWays(model, state)],
      follows,
    };
  const options = selectAnswerOptions(need);
  return {
    context: 'need-question',
    ways: [
      ...(options.length === 0 ? [] : [['option', 'answer'] as const]),
      ['answer', 'write an answer'],
      ...(need.asked === undefined ? typingWays(model, state) : []),
    ],
    follows,
  };
}

/** Typing into the pane, if there is one and its program reads. */
function typingWays(model: Model, state: State): readonly Row[] {
  const session = focusedPane(model, state)?.session;
  return session === undefined || explainTypingRejected(model, session, state) !== undefined
    ? []
    : [['type', 'type in its pane']];
}

/** `Task 5 waits for this one. ` */
function describeWaiting(need: Need, state: State): string {
  const task = selectSessionTask(need, state);
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  if (task === undefined || run === undefined) return '';
  const numbers = selectDependents(run, task).map(({number}) => number);
  if (numbers.length === 0) return '';
  return numbers.length === 1
    ? `Task ${numbers.join('')} waits for this one. `
    : `Tasks ${numbers.join(', ')} wait for this one. `;
}

function waysOfLoop(need: Extract<Need, {kind: 'loop'}>, state: State): Table {
  const hasTask = selectSessionTask(need, state) !== undefined;
  return {
    context: 'need-loop',
    ways: [
      ['seen', 'let it go on', 'this is not asked again'],
      ['stop', 'stop it', 'what it did is kept'],
      ...(hasTask
        ? [['take-over', 'take over', 'its conversation and worktree are yours'] as const]
        : []),
      ['note', 'leave a note', 'for whoever works on it next'],
    ],
    follows: 'The agent goes on until you decide.',
  };
}

function waysOfStopped(model: Model): Table {
  return {
    context: 'need-stopped',
    ways: [
      ['grant', 'retry with a hint', 'one more try; the agent is told your words and this failure'],
      [
        'take-over',
        'take over',
        `its conversation and worktree are yours; ${keyFor(model, 'hand-back')} hands it back`,
      ],
      ['discard', 'discard the task', 'the change is kept in a ref; the rest of the run goes on'],
    ],
    follows: 'Nothing more happens to it before you decide.',
  };
}

function waysOfAccept(
  model: Model,
  {run: id, refusal}: Extract<Need, {kind: 'accept'}>,
  state: State,
): Table {
  const run = selectRun(state, id);
  const branch = run !== undefined && 'ground' in run.stage ? run.stage.ground.branch : null;
  const into = branch ?? 'your checkout';
  const key = keyFor(model, 'accept', 'need-accept');
  return {
    context: 'need-accept',
    ways: [
      ['accept', `accept into ${into}`],
      ['see-diff', 'what changed'],
      ['propose', 'pull request instead'],
      ['discard', 'discard the run'],
    ],
    follows:
      refusal === undefined
        ? `${into} is not touched before you accept.`
        : `See to what is named above, then ${key} accepts it into ${into}.`,
  };
}

function waysOfBranch({branch, expected, relation}: Extract<Need, {kind: 'branch'}>): Table {
  return {
    context: 'need-branch',
    ways: [
      ...(relation === 'ahead'
        ? [
            [
              'adopt-branch',
              'take it over',
              'the run goes on from there; the next merge is checked on top of it',
            ] as const,
          ]
        : []),
      [
        'restore-branch',
        'put it back',
        `to ${expected.slice(0, 12)}; what is there now is kept under another name`,
      ],
      ['discard', 'discard the run', 'what was done is kept in a ref'],
    ],
    follows: `Nothing is merged into ${branch}, and nothing is accepted, before you decide.`,
  };
}

function formatDigits(count: number): string {
  return Array.from({length: count}, (_, index) => String(index + 1)).join(' ');
}
