import {readRegularFile, tryRemoveFile, tryWriteFile} from '../files/index.ts';
import type {AgentOutcome} from '../agents/index.ts';
import {sanitizeText} from '../shared/index.ts';
import {parsePlaybook, type Playbook, type PlaybookReport, withAnswer} from '../playbook/index.ts';
import {formatProjectProblems} from '../project-config/index.ts';
import {type Ending, followSteps} from './follow-steps.ts';

export type PlaybookOptions = {
  readonly mode: 'plan' | 'work';
  /** The worktree. */
  readonly directory: string;
  /** The playbook file. */
  readonly playbook: string;
  /** `t1`; needed to work. */
  readonly task?: string;
  /** From 2 on, the steps under `repairs` are used. @default 1 */
  readonly attempt?: number;
  /** Path of the outcome file. Not used in plan mode, which writes nothing. */
  readonly outcomeFile?: string;
  /** Environment of the commands that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Writes to standard output, unbuffered, so that nothing is lost on kill -9. Commands and
   * questions use the terminal itself.
   */
  readonly out: (text: string) => void;
};

/**
 * Follows a playbook and returns the exit code: 0 done, 1 gave up or failed, 2 no usable playbook;
 * of a failed command, its own.
 */
export async function runPlaybook(options: PlaybookOptions): Promise<number> {
  const print = (text: string): void => {
    options.out(`${sanitizeText(text)}\n`);
  };

  return options.mode === 'plan' ? plan(options, print) : work(options, print);
}

type Print = (text: string) => void;

function plan(options: PlaybookOptions, print: Print): number {
  const read = readPlaybook(options);
  if ('rejected' in read) {
    print(read.rejected);
    return 2;
  }

  if (read.playbook.plan === undefined) {
    print(`${options.playbook} has no plan. Add "plan:", or let another agent plan.`);
    return 2;
  }

  print(`playbook: the plan of ${options.playbook}\n`);
  print(`\`\`\`json\n${JSON.stringify(read.playbook.plan, undefined, 2)}\n\`\`\``);
  return 0;
}

async function work(options: PlaybookOptions, print: Print): Promise<number> {
  const {outcomeFile} = options;
  // The outcome of an earlier start says nothing about this one.
  if (outcomeFile !== undefined) tryRemoveFile(outcomeFile);
  const ending = await follow(options, print);
  print(`playbook: ${endLabels[ending.at]}. ${ending.text}`);
  if (outcomeFile !== undefined) {
    const fault = tryWriteFile(outcomeFile, `${JSON.stringify(toOutcome(ending))}\n`);
    if (fault !== undefined) print(`playbook: the outcome could not be written: ${fault}`);
  }

  return ending.code;
}

const endLabels: Readonly<Record<Ending['at'], string>> = {
  finished: 'done',
  'gave-up': 'gave up',
  failed: 'failed',
};

function toOutcome({at, text, report, answer}: Ending): AgentOutcome {
  return at === 'finished'
    ? {at, words: text, ...(report !== undefined && {report: filled(report, answer)})}
    : {at, words: text};
}

/** Replaces the placeholder of the answer in the report. */
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

async function follow(options: PlaybookOptions, print: Print): Promise<Ending> {
  const {task = '', attempt = 1} = options;
  const read = readPlaybook(options);
  if ('rejected' in read) return {at: 'failed', text: read.rejected, code: 2, answer: ''};

  const section = attempt >= 2 ? 'repairs' : 'tasks';
  const steps = read.playbook[section].find((list) => list.task === task)?.steps ?? [];
  if (steps.length === 0)
    return {
      at: 'gave-up',
      text: `The playbook has no steps for ${task} under "${section}"${attempt >= 2 ? ', so it cannot repair what failed' : ''}.`,
      code: 1,
      answer: '',
    };
  return followSteps({...options, task, attempt, steps, print});
}

function readPlaybook({
  playbook: file,
}: PlaybookOptions): {readonly playbook: Playbook} | {readonly rejected: string} {
  const source = readPlaybookFile(file);
  if ('rejected' in source) return source;
  const {value, problems} = parsePlaybook(source.bytes);
  return problems.length === 0
    ? {playbook: value}
    : {
        rejected: `The playbook has mistakes, so nothing of it was done.\n${formatProjectProblems(file, problems)}`,
      };
}

/** More than the parser accepts, so that the parser reports a playbook that is too long. */
const maxBytes = 16 * 1024 * 1024;

/** Reads the playbook. A person named the file, so it may be a symbolic link. */
export function readPlaybookFile(
  file: string,
): {readonly bytes: Uint8Array} | {readonly rejected: string} {
  const reading = readRegularFile(file, {maxBytes, links: 'follow'});
  if (reading.at === 'read') return {bytes: reading.bytes};
  return {rejected: `Expected a playbook in ${file}, but it ${reading.message}.`};
}
