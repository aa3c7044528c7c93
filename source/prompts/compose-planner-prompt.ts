import {without} from '../shared/index.ts';
import type {Because, Rules} from '../domain/index.ts';
import {formatPath} from '../rules/index.ts';
import type {Skill} from './parse-skills.ts';
import {composePrompt, type Prompt} from './compose-prompt.ts';
import {
  factsSection,
  type PromptFact,
  type RecalledSummary,
  rulesSection,
  skillSection,
  summariesSection,
} from './sections.ts';
import {
  aboutData,
  fenceData,
  type Fencing,
  formatFiles,
  formatList,
  formatOwnText,
} from './prompt-text.ts';
import {describePlanFields} from './plan-fields.ts';

export type PlannerPromptInput = Fencing & {
  readonly rules: Rules;
  readonly objective: string;
  /** The services that a plan may name. */
  readonly services: readonly string[];
  readonly tools?: readonly string[];
  /** The agents that a task may name, the run's own first. */
  readonly agents?: readonly string[];
  readonly skills: readonly Pick<Skill, 'name' | 'description'>[];
  /** The problems of the previous answer, when the planner is asked again. */
  readonly problems?: readonly string[];
  /**
   * A person's comments on the previous plan, and that plan as it was shown, with the line numbers
   * of the comments.
   */
  readonly because?: Because;
  readonly before?: string;
  /** It runs in its own interface, where a person may write to it. */
  readonly isInteractive?: boolean;
  /** The planner was stopped before it could read everything. */
  readonly isInterrupted?: boolean;
  readonly facts: readonly PromptFact[];
  readonly now: number;
  readonly summaries: readonly RecalledSummary[];
  readonly skill?: Skill;
  readonly budget?: number;
};

/** The planner's prompt: rules, the objective and the form of a plan, facts, summaries, skill. */
export function composePlannerPrompt(input: PlannerPromptInput): Prompt {
  const {rules, facts, summaries, skill, budget} = input;
  return composePrompt(
    [
      rulesSection(rules),
      {name: 'task', head: '# Task: make a plan', pieces: formatTask(input), joint: '\n\n'},
      factsSection(facts, input),
      summariesSection(summaries, input),
      skillSection(skill),
    ],
    budget,
  );
}

export type FollowUp = {
  /** How the person's branch moved since the planner read it last, and which files differ. */
  readonly moved?: {readonly from: string; readonly to: string; readonly files: readonly string[]};
  readonly hasNewRules: boolean;
  /** The person edited the plan after the planner submitted it. */
  readonly isEdited: boolean;
  /** Why there was no plan, where planning ended without one. */
  readonly failure?: string;
  /** The planner was stopped during this round. */
  readonly isInterrupted: boolean;
  /**
   * Whether the prompt begins with the rules, as of an agent that passes them as a system prompt.
   * @default true
   */
  readonly givesRules?: boolean;
};

/**
 * The prompt of a planner that continues its conversation: only what is new. The form of a plan is
 * repeated for a planner that did not keep to it.
 */
export function composePlannerFollowUp(input: PlannerPromptInput & FollowUp): Prompt {
  const {rules, hasNewRules, moved, isEdited, failure, isInterrupted, before, because, budget} =
    input;
  const {problems = [], givesRules = true} = input;
  const plan = isEdited && before !== undefined ? {before} : {};
  const lines = formatRejection({
    ...without(input, 'before'),
    ...(because === undefined || before === undefined ? {} : {lines: before}),
    ...plan,
  });
  const pieces = [
    'You go on with the planning that you have begun in this conversation. Read again only what you need. You still change nothing: no file, no branch, no service.',
    ...(isInterrupted ? [interrupted] : []),
    ...(failure === undefined
      ? []
      : [`Planning ended without a plan: ${fenceData('why', failure, 2000, input)}`]),
    ...lines,
    ...formatProblems(input),
    ...(moved === undefined
      ? []
      : [
          `The branch of the person has moved from ${moved.from} to ${moved.to} since you read it; your worktree holds what is there now. Changed meanwhile:\n\n${fenceData('changed meanwhile', moved.files.length === 0 ? 'no file' : formatFiles(moved.files, formatPath), 4000, input)}`,
        ]),
    ...(hasNewRules
      ? [
          'The rules have changed since: those that you are given with this message hold, and no others.',
        ]
      : []),
    ...(problems.length === 0
      ? [
          'Hand in the whole plan, also what stays as it was, in the form and in the way that you know from this conversation.',
        ]
      : [
          `Hand in the whole plan, also what stays as it was, as one JSON object:\n\n${describePlanFields()}`,
          handingIn,
        ]),
    aboutData(input),
  ];
  return composePrompt(
    [
      rulesSection(givesRules || hasNewRules ? rules : {...rules, rules: [], checks: []}),
      {name: 'task', head: '# Task: change the plan', pieces, joint: '\n\n'},
    ],
    budget,
  );
}

const interrupted = 'You were interrupted, through no fault of yours. Go on from where you were.';

const inConversation =
  'A person may write to you here, before and after you hand in the plan. Ask them here what only they can know, and wait for the answer. If they want the plan changed, hand in the whole plan again.';

const handingIn =
  'Call the tool `submit_plan` with the plan if you have it. Otherwise end your answer with the plan in a block fenced by three backticks and the word json; the last such block counts.';

function formatTask(input: PlannerPromptInput): string[] {
  const {objective, services, tools = [], agents = [], skills, secrets} = input;
  return [
    'You are the planner. Read, and change nothing: no file, no branch, no service. The worktree is compared afterwards, and any difference rejects the plan. Workers carry the plan out once a person has approved it.',
    `Objective:\n\n${formatOwnText(objective, secrets)}`,
    ...(input.isInterrupted === true ? [interrupted] : []),
    ...(input.isInteractive === true ? [inConversation] : []),
    ...formatRejection(input),
    ...formatProblems(input),
    `The plan is one JSON object:\n\n${describePlanFields()}`,
    ...(services.length === 0
      ? ['No service is declared, so "services" stays empty.']
      : [`Services that a task may name: ${services.join(', ')}.`]),
    ...(tools.length === 0
      ? []
      : [
          `Tool servers that a task may name, each for the worker of that task alone: ${tools.join(', ')}.`,
        ]),
    ...(agents.length < 2
      ? []
      : [
          `Agents that a task may name: ${agents.join(', ')}. A task that names none gets ${agents[0] ?? ''}. Name another agent, or a model, only where the objective, the rules or the notes ask for it.`,
        ]),
    ...(skills.length === 0
      ? []
      : [
          `Skills that a task may name:\n\n${formatList(skills.slice(0, maxSkills).map(({name, description}) => `${name}: ${formatOwnText(description, secrets).slice(0, 200)}`))}`,
        ]),
    handingIn,
    aboutData(input),
  ];
}

const maxSkills = 50;

/** `lines`: the plan that the comments refer to, where the prompt does not contain it. */
function formatRejection({
  because,
  before,
  secrets,
  lines: shown,
  ...rest
}: PlannerPromptInput & {readonly lines?: string}): string[] {
  if (because === undefined) return [];
  const lines = (before ?? shown ?? '').split('\n');
  const comments = because.comments.map(({line, text}) => {
    const at = lines[line - 1]?.trim() ?? '';
    return `line ${line}: ${formatOwnText(text, secrets)}${at === '' ? '' : `\n${fenceData(`line ${line}`, at, 300, {...rest, secrets})}`}`;
  });
  return [
    `A person did not accept the plan before.${because.reason === undefined ? '' : ` The reason:\n\n${formatOwnText(because.reason, secrets)}`}`,
    ...(comments.length === 0 ? [] : [`Comments on its lines:\n\n${formatList(comments)}`]),
    ...(before === undefined ? [] : [fenceData('plan before', before, 8000, {...rest, secrets})]),
  ];
}

function formatProblems({problems = [], ...rest}: PlannerPromptInput): string[] {
  if (problems.length === 0) return [];
  return [
    `Your answer before was not a plan that can be read. This is the last time that it is asked for. Its problems:\n\n${fenceData('problems', formatList(problems.slice(0, 40)), 4000, rest)}`,
  ];
}
