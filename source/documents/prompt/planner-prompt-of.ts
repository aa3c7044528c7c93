import {without} from '../../base/index.ts';
import type {Because, Rules} from '../../domain/index.ts';
import {shownPath} from '../judge/shown-path.ts';
import type {Skill} from '../skills/read-skill.ts';
import {type Prompt, composePrompt} from './compose-prompt.ts';
import {type PromptFact, factsSection} from './facts-section.ts';
import {type Fencing, aboutData, fenceData} from './fence-data.ts';
import {describePlanFields} from './plan-fields.ts';
import {type RecalledSummary, skillSection, summariesSection} from './recalled-sections.ts';
import {rulesSection} from './rules-section.ts';
import {listed, ownWords} from './words.ts';

export type PlannerPromptInput = Fencing & {
  readonly rules: Rules;
  readonly objective: string;
  /** What a plan may name. */
  readonly services: readonly string[];
  readonly tools?: readonly string[];
  readonly skills: readonly Pick<Skill, 'name' | 'description'>[];
  /** What was wrong with what came before; asking a second time. */
  readonly problems?: readonly string[];
  /** What a person said about the plan before, and that plan as it was shown: the lines of the comments are its lines. */
  readonly because?: Because;
  readonly before?: string;
  readonly facts: readonly PromptFact[];
  readonly now: number;
  readonly summaries: readonly RecalledSummary[];
  readonly skill?: Skill;
  readonly budget?: number;
};

/** What a planner is told: rules, what to plan and in which form, facts, summaries, skill. */
export function plannerPromptOf(input: PlannerPromptInput): Prompt {
  const {rules, facts, summaries, skill, budget} = input;
  return composePrompt(
    [
      rulesSection(rules),
      {name: 'task', head: '# Task: make a plan', pieces: taskOf(input), joint: '\n\n'},
      factsSection(facts, input),
      summariesSection(summaries, input),
      skillSection(skill),
    ],
    budget,
  );
}

export type FollowUp = {
  /** What the person's branch was when the planner read last, and which files differ since; nothing if it has not moved. */
  readonly moved?: {readonly from: string; readonly to: string; readonly files: readonly string[]};
  readonly hasNewRules: boolean;
  /** The plan was changed by the person since the planner handed it in. */
  readonly isEdited: boolean;
  /** Why there was no plan, where planning ended without one. */
  readonly failure?: string;
  /** It was ended in the middle of this round. */
  readonly isInterrupted: boolean;
};

/** What a planner is told that goes on with its conversation: it has read everything, so only what is new, and the form that is wanted. */
export function plannerFollowUpOf(input: PlannerPromptInput & FollowUp): Prompt {
  const {rules, hasNewRules, moved, isEdited, failure, isInterrupted, before, because, budget} =
    input;
  const plan = isEdited && before !== undefined ? {before} : {};
  const lines = rejectionOf({
    ...without(input, 'before'),
    ...(because === undefined || before === undefined ? {} : {lines: before}),
    ...plan,
  });
  const pieces = [
    'You go on with the planning that you have begun in this conversation. Read again only what you need. You still change nothing: no file, no branch, no service.',
    ...(isInterrupted
      ? ['You were interrupted, through no fault of yours. Go on from where you were.']
      : []),
    ...(failure === undefined
      ? []
      : [`Planning ended without a plan: ${fenceData('why', failure, 2000, input)}`]),
    ...lines,
    ...problemsOf(input),
    ...(moved === undefined
      ? []
      : [
          `The branch of the person has moved from ${moved.from} to ${moved.to} since you read it; your worktree holds what is there now. Changed meanwhile:\n\n${fenceData('changed meanwhile', changedFiles(moved.files), 4000, input)}`,
        ]),
    ...(hasNewRules
      ? [
          'The rules have changed since: those that you are given with this message hold, and no others.',
        ]
      : []),
    `Hand in the whole plan, also what stays as it was, as one JSON object:\n\n${describePlanFields()}`,
    handingIn,
    aboutData(input),
  ];
  return composePrompt(
    [rulesSection(rules), {name: 'task', head: '# Task: change the plan', pieces, joint: '\n\n'}],
    budget,
  );
}

const mostFiles = 60;

function changedFiles(files: readonly string[]): string {
  const more = files.length > mostFiles ? [`and ${files.length - mostFiles} more`] : [];
  return files.length === 0
    ? 'no file'
    : [...files.slice(0, mostFiles).map(shownPath), ...more].join('\n');
}

const handingIn =
  'Call the tool `submit_plan` with the plan if you have it. Otherwise end your answer with the plan in a block fenced by three backticks and the word json; the last such block counts.';

function taskOf(input: PlannerPromptInput): string[] {
  const {objective, services, tools = [], skills, secrets} = input;
  return [
    'You are the planner. Read, and change nothing: no file, no branch, no service. The worktree is compared afterwards, and any difference rejects the plan. Workers carry the plan out once a person has approved it.',
    `Objective:\n\n${ownWords(objective, secrets)}`,
    ...rejectionOf(input),
    ...problemsOf(input),
    `The plan is one JSON object:\n\n${describePlanFields()}`,
    ...(services.length === 0
      ? ['No service is declared, so "services" stays empty.']
      : [`Services that a task may name: ${services.join(', ')}.`]),
    ...(tools.length === 0
      ? []
      : [
          `Servers of tools that a task may name, each for the worker of that task alone: ${tools.join(', ')}.`,
        ]),
    ...(skills.length === 0
      ? []
      : [
          `Skills that a task may name:\n\n${listed(skills.slice(0, mostSkills).map(({name, description}) => `${name}: ${ownWords(description, secrets).slice(0, 200)}`))}`,
        ]),
    handingIn,
    aboutData(input),
  ];
}

const mostSkills = 50;

/** `lines`: the plan that the comments are about, where it is not shown whole. */
function rejectionOf({
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
    return `line ${line}: ${ownWords(text, secrets)}${at === '' ? '' : `\n${fenceData(`line ${line}`, at, 300, {...rest, secrets})}`}`;
  });
  return [
    `A person did not accept the plan before.${because.reason === undefined ? '' : ` The reason:\n\n${ownWords(because.reason, secrets)}`}`,
    ...(comments.length === 0 ? [] : [`Comments on its lines:\n\n${listed(comments)}`]),
    ...(before === undefined ? [] : [fenceData('plan before', before, 8000, {...rest, secrets})]),
  ];
}

function problemsOf({problems = [], ...rest}: PlannerPromptInput): string[] {
  if (problems.length === 0) return [];
  return [
    `Your answer before was not a plan that can be read. This is the last time that it is asked for. Its problems:\n\n${fenceData('problems', listed(problems.slice(0, 40)), 4000, rest)}`,
  ];
}
