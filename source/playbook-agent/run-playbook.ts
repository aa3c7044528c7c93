import {readRegularFile, tryRemoveFile, tryWriteFile} from '../files/index.ts';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {activityFileName, type AgentOutcome} from '../agents/index.ts';
import type {AgentReport, Usage} from '../domain/index.ts';
import {sanitizeText} from '../shared/index.ts';
import {parsePlaybook, type Playbook, withAnswer} from '../playbook/index.ts';
import {formatProjectProblems} from '../project-config/index.ts';
import {type StepsEnding, followSteps} from './follow-steps.ts';
import {paintText} from './show-line.ts';

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
  /** Path of the outcome file. In plan mode it is written only if the playbook counts tokens. */
  readonly outcomeFile?: string;
  /** Environment of the commands that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Writes to standard output, unbuffered, so that nothing is lost on kill -9. Commands and
   * questions use the terminal itself.
   */
  readonly out: (text: string) => void;
  /** Use colours. @default false */
  readonly color?: boolean;
  /** The width of the terminal now: text is wrapped at words. Without it nothing is wrapped. */
  readonly columns?: () => number | undefined;
};

/**
 * Follows a playbook and returns the exit code: 0 done, 1 gave up or failed, 2 no usable playbook;
 * of a failed command, its own.
 */
export async function runPlaybook(options: PlaybookOptions): Promise<number> {
  const print = (text: string): void => {
    const shown = {color: options.color === true, columns: options.columns?.()};
    options.out(`${paintText(text, shown)}\n`);
  };

  return options.mode === 'plan' ? plan(options, print) : work(options, print);
}

type Print = (text: string) => void;

async function plan(options: PlaybookOptions, print: Print): Promise<number> {
  const read = readPlaybook(options);
  if ('rejected' in read) {
    print(read.rejected);
    return 2;
  }

  const {plan: content, planning} = read.playbook;
  if (content === undefined) {
    print(`${options.playbook} has no plan. Add "plan:", or let another agent plan.`);
    return 2;
  }

  print(`· playbook · the plan of ${path.basename(options.playbook)}`);
  const meter = createMeter(options.outcomeFile);
  for (const step of planning) {
    if (step.do === 'print') print(step.text);
    if (step.do === 'wait') await delay(step.milliseconds);
    if (step.do === 'use') meter.add(step.usage);
  }

  // The plan is parsed from the output: a wrapped line would be another text.
  options.out(sanitizeText(`\n\`\`\`json\n${JSON.stringify(content, undefined, 2)}\n\`\`\`\n`));
  const usage = meter.total();
  if (usage !== undefined)
    saveOutcome(options.outcomeFile, {at: 'finished', words: 'Printed the plan.', usage}, print);
  return 0;
}

async function work(options: PlaybookOptions, print: Print): Promise<number> {
  const {outcomeFile} = options;
  // The outcome of an earlier start says nothing about this one.
  if (outcomeFile !== undefined) tryRemoveFile(outcomeFile);
  const meter = createMeter(outcomeFile);
  const ending = await follow(options, print, meter.add);
  const usage = meter.total();
  print(`─ ${endLabels[ending.at]} · ${[ending.text, ...formatUsage(usage)].join(' · ')}`);
  saveOutcome(outcomeFile, {...toOutcome(ending), ...(usage !== undefined && {usage})}, print);
  return ending.code;
}

function saveOutcome(file: string | undefined, outcome: AgentOutcome, print: Print): void {
  if (file === undefined) return;
  const fault = tryWriteFile(file, `${JSON.stringify(outcome)}\n`);
  if (fault !== undefined) print(`· the outcome could not be written: ${fault}`);
}

type Meter = {
  readonly add: (usage: Usage) => void;
  /** Undefined if nothing was counted. */
  readonly total: () => Usage | undefined;
};

/** Adds up what this start used, and shows the daemon the sum while the agent works. */
function createMeter(outcomeFile: string | undefined): Meter {
  const activityFile =
    outcomeFile === undefined ? undefined : path.join(path.dirname(outcomeFile), activityFileName);
  if (activityFile !== undefined) tryRemoveFile(activityFile);
  let total: Usage | undefined;
  return {
    total: () => total,
    add: ({input, output, cost}) => {
      const sum = (total?.cost ?? 0) + (cost ?? 0);
      total = {
        input: (total?.input ?? 0) + input,
        output: (total?.output ?? 0) + output,
        ...((cost !== undefined || total?.cost !== undefined) && {cost: sum}),
      };
      // A failed write costs only the figures in between: the outcome has the sum, too.
      if (activityFile !== undefined)
        tryWriteFile(activityFile, `${JSON.stringify({usage: total})}\n`);
    },
  };
}

function formatUsage(usage: Usage | undefined): readonly string[] {
  if (usage === undefined) return [];
  const tokens = `${Math.round((usage.input + usage.output) / 1000)}k tokens`;
  return usage.cost === undefined ? [tokens] : [tokens, `$${usage.cost.toFixed(2)}`];
}

const endLabels: Readonly<Record<StepsEnding['at'], string>> = {
  finished: 'done',
  'gave-up': 'gave up',
  failed: 'failed',
};

function toOutcome({at, text, report, answer}: StepsEnding): AgentOutcome {
  return at === 'finished'
    ? {at, words: text, ...(report !== undefined && {report: filled(report, answer)})}
    : {at, words: text};
}

/** Replaces the placeholder of the answer in the report. */
function filled({rootCause, decisions, rejected}: AgentReport, answer: string): AgentReport {
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

async function follow(
  options: PlaybookOptions,
  print: Print,
  onUse: (usage: Usage) => void,
): Promise<StepsEnding> {
  const {task = '', attempt = 1} = options;
  const read = readPlaybook(options);
  if ('rejected' in read) return {at: 'failed', text: read.rejected, code: 2, answer: ''};

  const section = attempt >= 2 ? 'repairs' : 'tasks';
  const steps = read.playbook[section].find((list) => list.task === task)?.steps ?? [];
  if (steps.length === 0)
    return {
      at: 'gave-up',
      text:
        `The playbook has no steps for ${task} under ` +
        `"${section}"${attempt >= 2 ? ', so it cannot repair what failed' : ''}.`,
      code: 1,
      answer: '',
    };
  return followSteps({...options, task, attempt, steps, print, onUse});
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
