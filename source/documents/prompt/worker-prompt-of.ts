import type {Attempt, ChangedFile, Check, PlannedTask, Rules} from '../../domain/index.ts';
import {describeFailure} from '../events/describe-reason.ts';
import {shownPath} from '../judge/shown-path.ts';
import type {Skill} from '../skills/read-skill.ts';
import {type Prompt, composePrompt} from './compose-prompt.ts';
import {type PromptFact, factsSection} from './facts-section.ts';
import {type Fencing, aboutData, fenceData} from './fence-data.ts';
import {type RecalledSummary, skillSection, summariesSection} from './recalled-sections.ts';
import {rulesSection} from './rules-section.ts';
import {listed, ownWords} from './words.ts';

export type WorkerPromptInput = Fencing & {
  readonly rules: Rules;
  /** The whole run's. */
  readonly objective: string;
  readonly task: PlannedTask;
  readonly invariants: readonly string[];
  /** All that will run, in their order. */
  readonly checks: readonly Check[];
  readonly attempt: Pick<Attempt, 'number' | 'repairs' | 'hint' | 'interruptions' | 'handedBack'>;
  /** What attempts before changed and is in the worktree. */
  readonly changed: readonly ChangedFile[];
  /** What of it a person changed who had the task in between, where that is known. */
  readonly byPerson?: readonly string[];
  /** What a person noted on the task or the run. */
  readonly notes: readonly string[];
  readonly facts: readonly PromptFact[];
  readonly now: number;
  readonly summaries: readonly RecalledSummary[];
  readonly skill?: Skill;
  readonly budget?: number;
};

/** What a worker is told: rules, its task and nobody else's, facts, summaries, skill. */
export function workerPromptOf(input: WorkerPromptInput): Prompt {
  const {rules, task, facts, summaries, skill, secrets, budget} = input;
  return composePrompt(
    [
      rulesSection(rules),
      {
        name: 'task',
        head: `# Task ${task.id}: ${ownWords(task.title, secrets)}`,
        pieces: taskOf(input),
        joint: '\n\n',
      },
      factsSection(facts, input),
      summariesSection(summaries, input),
      skillSection(skill),
    ],
    budget,
  );
}

function taskOf(input: WorkerPromptInput): string[] {
  const {objective, task, invariants, checks, notes, secrets} = input;
  return [
    'You are the worker of this one task, alone in a worktree of your own. Others do the rest of the plan.',
    `Objective of the whole plan:\n\n${ownWords(objective, secrets)}`,
    `Your brief:\n\n${ownWords(task.brief, secrets)}`,
    `Change only these; a change anywhere else fails the task:\n\n${listed(task.files)}`,
    ...section(
      'Must still be true afterwards:',
      invariants.map((text) => ownWords(text, secrets)),
    ),
    ...section(
      'These checks run afterwards, in this order:',
      checks.map(({name, command}) => `${name}: \`${ownWords(command, secrets)}\``),
    ),
    ...section(
      'Notes of the person:',
      notes.map((text) => ownWords(text, secrets)),
    ),
    ...historyOf(input),
    'What is in the worktree when you end is taken; you need not commit. Do not push, merge or switch branches, and leave other worktrees alone.',
    reporting,
    aboutData(input),
  ];
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}\n\n${listed(items)}`];
}

/** What happened before this attempt. */
function historyOf(input: WorkerPromptInput): string[] {
  const {attempt, changed, secrets} = input;
  return [
    ...repairOf(input),
    ...(attempt.hint === undefined
      ? []
      : [`The person gives you this hint:\n\n${ownWords(attempt.hint, secrets)}`]),
    ...(attempt.interruptions > 0
      ? [
          `This attempt was interrupted, through no fault of the work (${attempt.interruptions === 1 ? 'once' : `${attempt.interruptions} times`}). What was done so far is in the worktree: look at the diff and go on from there, do not begin again.`,
        ]
      : []),
    ...handedBackOf(input),
    ...(changed.length === 0
      ? []
      : [`Changed so far:\n\n${fenceData('changed', changedText(changed), 4000, input)}`]),
  ];
}

function handedBackOf(input: WorkerPromptInput): string[] {
  const {
    attempt: {handedBack},
    byPerson,
    secrets,
  } = input;
  if (handedBack === undefined) return [];
  const files = byPerson?.slice(0, mostFiles).map(shownPath);
  const more =
    byPerson !== undefined && byPerson.length > mostFiles
      ? [`and ${byPerson.length - mostFiles} more`]
      : [];
  return [
    'A person took this task over in between, worked in this worktree, and has handed it back to you. Files may not be as you left them: look at the diff, keep what they did, and go on from there.',
    ...(files === undefined
      ? []
      : [
          files.length === 0
            ? 'They changed no file.'
            : `They changed:\n\n${fenceData('changed by the person', [...files, ...more].join('\n'), 4000, input)}`,
        ]),
    ...(handedBack.note === undefined
      ? []
      : [`They say:\n\n${ownWords(handedBack.note, secrets)}`]),
  ];
}

function repairOf(input: WorkerPromptInput): string[] {
  const {number, repairs} = input.attempt;
  if (repairs === undefined) return [];
  const hunks =
    repairs.kind === 'conflict' && repairs.hunks !== undefined ? `\n${repairs.hunks}` : '';
  return [
    `This is attempt ${number}: the one before failed. Find the cause of the first failure and repair it, with as little change as possible. If it fails again, the work stops and a person decides.\n\n${fenceData('first failure', `${describeFailure(repairs)}${hunks}`, 6000, input)}`,
  ];
}

const mostFiles = 60;

function changedText(files: readonly ChangedFile[]): string {
  const lines = files
    .slice(0, mostFiles)
    .map(({path, how, added, removed}) => `${how} ${shownPath(path)} (+${added} -${removed})`);
  return [
    ...lines,
    ...(files.length > mostFiles ? [`and ${files.length - mostFiles} more`] : []),
  ].join('\n');
}

/** The example is not fenced: a worker that only prints its prompt has reported nothing. */
const reporting = [
  'End your answer with a report of three fields, in a block fenced by three backticks and the word json, in the form',
  '    {"rootCause": "…", "decisions": ["…"], "rejected": [{"alternative": "…", "reason": "…"}]}',
  'Say why, not what: the diff is known. If you cannot do the task, change nothing more and end with the block',
  '    {"gaveUp": "why not, and what is missing"}',
].join('\n\n');
