import type {AgentOutcome} from '../agents/index.ts';
import {sanitizeText} from '../base/index.ts';
import {
  type Playbook,
  type PlaybookReport,
  formatProjectProblems,
  readPlaybook,
  withAnswer,
} from '../documents/index.ts';
import {type Ending, followSteps} from './follow-steps.ts';
import {readPlaybookFile} from './read-playbook-file.ts';
import {removeOutcome, writeOutcome} from './write-outcome.ts';

export type PlaybookOptions = {
  readonly mode: 'plan' | 'work';
  /** The worktree. */
  readonly directory: string;
  /** The file that is followed. */
  readonly playbook: string;
  /** `t1`; needed to work. */
  readonly task?: string;
  /** From 2 on the steps under `repairs` are followed. @default 1 */
  readonly attempt?: number;
  /** Where the outcome is left; not in plan mode, in which nothing is written anywhere. */
  readonly outcomeFile?: string;
  /** For the commands that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, at once: what was said before a kill -9 was said. Commands and questions have the terminal itself. */
  readonly out: (text: string) => void;
};

/** Follows a playbook and gives the exit code: 0 done, 1 gave up or failed, 2 nothing to follow; of a command that failed, its own. */
export async function runPlaybook(options: PlaybookOptions): Promise<number> {
  const say = (text: string): void => {
    options.out(`${sanitizeText(text)}\n`);
  };

  return options.mode === 'plan' ? plan(options, say) : work(options, say);
}

type Say = (text: string) => void;

function plan(options: PlaybookOptions, say: Say): number {
  const read = load(options);
  const words =
    'refused' in read
      ? read.refused
      : read.playbook.plan === undefined
        ? `${options.playbook} has no plan. Add "plan:", or let another agent plan.`
        : undefined;
  if (words !== undefined) say(words);
  if ('refused' in read || read.playbook.plan === undefined) return 2;

  say(`playbook: the plan of ${options.playbook}\n`);
  say(`\`\`\`json\n${JSON.stringify(read.playbook.plan, undefined, 2)}\n\`\`\``);
  return 0;
}

async function work(options: PlaybookOptions, say: Say): Promise<number> {
  const {outcomeFile} = options;
  // What an earlier start left there is not what comes of this one.
  if (outcomeFile !== undefined) removeOutcome(outcomeFile);
  const ending = await endingOf(options, say);
  say(
    `playbook: ${ending.at === 'finished' ? 'done' : ending.at === 'gave-up' ? 'gave up' : 'failed'}. ${ending.words}`,
  );
  if (outcomeFile !== undefined) {
    const fault = writeOutcome(outcomeFile, outcomeOf(ending));
    if (fault !== undefined) say(`playbook: the outcome could not be written: ${fault}`);
  }

  return ending.code;
}

function outcomeOf({at, words, report, answer}: Ending): AgentOutcome {
  return at === 'finished'
    ? {at, words, ...(report !== undefined && {report: filled(report, answer)})}
    : {at, words};
}

/** The answer may stand in what is reported, too. */
function filled({rootCause, decisions, rejected}: PlaybookReport, answer: string): PlaybookReport {
  return {
    ...(rootCause !== undefined && {rootCause: withAnswer(rootCause, answer)}),
    ...(decisions !== undefined && {decisions: decisions.map((text) => withAnswer(text, answer))}),
    ...(rejected !== undefined && {
      rejected: rejected.map((one) => ({
        alternative: withAnswer(one.alternative, answer),
        reason: withAnswer(one.reason, answer),
      })),
    }),
  };
}

async function endingOf(options: PlaybookOptions, say: Say): Promise<Ending> {
  const {task = '', attempt = 1} = options;
  const read = load(options);
  if ('refused' in read) return {at: 'failed', words: read.refused, code: 2, answer: ''};

  const section = attempt >= 2 ? 'repairs' : 'tasks';
  const steps = read.playbook[section].find((list) => list.task === task)?.steps ?? [];
  if (steps.length === 0)
    return {
      at: 'gave-up',
      words: `The playbook has no steps for ${task} under "${section}"${attempt >= 2 ? ', so it cannot repair what failed' : ''}.`,
      code: 1,
      answer: '',
    };
  return followSteps({...options, task, attempt, steps, say});
}

function load({
  playbook: file,
}: PlaybookOptions): {readonly playbook: Playbook} | {readonly refused: string} {
  const source = readPlaybookFile(file);
  if ('refused' in source) return source;
  const {value, problems} = readPlaybook(source.bytes);
  return problems.length === 0
    ? {playbook: value}
    : {
        refused: `The playbook has mistakes, so nothing of it was done.\n${formatProjectProblems(file, problems)}`,
      };
}
