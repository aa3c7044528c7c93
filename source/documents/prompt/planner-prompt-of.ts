import type {Because, Rules} from '../../domain/index.ts';
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

function taskOf(input: PlannerPromptInput): string[] {
  const {objective, services, tools = [], skills, secrets} = input;
  return [
    'You are the planner. Read, and change nothing: no file, no branch, no service. The worktree is compared afterwards, and any difference rejects the plan. Workers carry the plan out once a person has approved it.',
    `Objective:\n\n${ownWords(objective, secrets)}`,
    ...rejectionOf(input),
    ...problemsOf(input),
    `The plan is one JSON object:\n\n${describePlanFields()}`,
    ...(services.length === 0 ? ['No service is declared, so "services" stays empty.'] : [`Services that a task may name: ${services.join(', ')}.`]),
    ...(tools.length === 0 ? [] : [`Servers of tools that a task may name, each for the worker of that task alone: ${tools.join(', ')}.`]),
    ...(skills.length === 0 ? [] : [`Skills that a task may name:\n\n${listed(skills.slice(0, mostSkills).map(({name, description}) => `${name}: ${ownWords(description, secrets).slice(0, 200)}`))}`]),
    'Call the tool `submit_plan` with the plan if you have it. Otherwise end your answer with the plan in a block fenced by three backticks and the word json; the last such block counts.',
    aboutData(input),
  ];
}

const mostSkills = 50;

function rejectionOf({because, before, secrets, ...rest}: PlannerPromptInput): string[] {
  if (because === undefined) return [];
  const lines = (before ?? '').split('\n');
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
  return [`Your answer before was not a plan that can be read. This is the last time that it is asked for. Its problems:\n\n${fenceData('problems', listed(problems.slice(0, 40)), 4000, rest)}`];
}
