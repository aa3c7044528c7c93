import {setTimeout as delay} from 'node:timers/promises';
import type {AgentReport} from '../domain/index.ts';
import {type Step, withAnswer} from '../playbook/index.ts';
import {
  attemptKey,
  type Begin,
  findBegin,
  findProgressFile,
  type NotedFile,
  type StepProgress,
  readProgress,
  withNotedFile,
  writeProgress,
} from './progress.ts';
import {changeFile, type FileStep, hashNow} from './change-file.ts';
import {formatChangedLines, formatCounts} from './show-line.ts';
import {askAtTerminal, type CommandOptions, runShellCommand} from './shell.ts';
import {formatSystemError} from '../files/index.ts';
import type {Usage} from '../domain/index.ts';
import {pluralize} from '../shared/index.ts';

type FollowStepsOptions = CommandOptions & {
  readonly task: string;
  readonly attempt: number;
  readonly steps: readonly Step[];
  readonly out: (text: string) => void;
  readonly print: (text: string) => void;
  /** Called by each `use` step. */
  readonly onUse: (usage: Usage) => void;
};

export type StepsEnding = {
  readonly at: 'finished' | 'gave-up' | 'failed';
  readonly text: string;
  readonly code: number;
  readonly report?: AgentReport;
  readonly answer: string;
};

/**
 * Runs the steps in order and records each, so that after a crash the same steps end in the same
 * tree. The record is not removed at the end: an attempt that is started again because nobody saw
 * its end must not repeat a step.
 */
export async function followSteps(following: FollowStepsOptions): Promise<StepsEnding> {
  const {task, attempt, steps, directory, print} = following;
  const key = attemptKey(task, attempt, steps);
  const notes = openNotes(directory, print);
  const begin = findBegin(notes.read(), key, steps, (path) => hashNow(directory, path));
  print(`· playbook · ${task} · try ${attempt} · ${pluralize(steps.length, 'step')}`);
  if (begin.from > 0)
    print(
      `· the first ${pluralize(begin.from, 'step')} ${begin.from === 1 ? 'is' : 'are'} already done`,
    );

  let state: Begin = begin;
  while (state.from < steps.length) {
    const index = state.from;
    const step = steps[index];
    if (step === undefined) break;
    const place = `${task} step ${index + 1} (line ${step.line})`;
    const note = (more: Partial<StepProgress>): void => {
      notes.write({of: key, done: index, answer: state.answer, files: state.files, ...more});
    };

    const end = await runStep(step, {
      ...following,
      answer: state.answer,
      note,
      files: state.files,
    });
    if ('at' in end) {
      // Not recorded as done: if the attempt is started again, the failed step is repeated.
      return {at: end.at, text: `${place}: ${end.text}`, code: end.code, answer: state.answer};
    }

    state = {
      from: index + 1,
      answer: end.answer ?? state.answer,
      files: step.do === 'run' ? rehash(end.files, directory) : end.files,
    };
    notes.write({of: key, done: state.from, answer: state.answer, files: state.files});
  }

  const report = steps.find((step) => step.do === 'report')?.report;
  return {
    at: 'finished',
    text: `Followed the playbook for ${task}: ${pluralize(steps.length, 'step')}.`,
    code: 0,
    ...(report !== undefined && {report}),
    answer: state.answer,
  };
}

/**
 * Hashes the files again, because a command such as a formatter may have changed what earlier steps
 * wrote.
 */
function rehash(files: Begin['files'], directory: string): Begin['files'] {
  return files.reduce((all, {path}) => withNotedFile(all, path, hashNow(directory, path)), files);
}

type Notes = {
  readonly read: () => StepProgress | undefined;
  readonly write: (progress: StepProgress) => void;
};

function openNotes(directory: string, print: (text: string) => void): Notes {
  const file = findProgressFile(directory);
  let isWritable = file !== undefined;
  return {
    read: () => (file === undefined ? undefined : readProgress(file)),
    write: (progress) => {
      if (file === undefined || !isWritable || writeProgress(file, progress)) return;
      isWritable = false;
      print('· cannot record its progress; after a crash it starts again at the first step');
    },
  };
}

type StepContext = CommandOptions & {
  readonly answer: string;
  readonly files: readonly NotedFile[];
  readonly out: (text: string) => void;
  readonly print: (text: string) => void;
  readonly onUse: (usage: Usage) => void;
  /** Records what is about to be done. */
  readonly note: (more: Partial<StepProgress>) => void;
};

type StepEnd =
  | {readonly files: readonly NotedFile[]; readonly answer?: string}
  /** The playbook stops here. */
  | {readonly at: 'gave-up' | 'failed'; readonly text: string; readonly code: number};

/** Runs one step. A system error becomes a failure of the step. */
async function runStep(step: Step, context: StepContext): Promise<StepEnd> {
  try {
    return await perform(step, context);
  } catch (error) {
    return {at: 'failed', text: `${formatTitle(step)}: ${formatSystemError(error)}`, code: 1};
  }
}

/** A step as one call of a tool. */
function formatTitle(step: Step): string {
  switch (step.do) {
    case 'run':
      return `Bash ${step.command}`;
    case 'write':
      return `Write ${step.path}`;
    case 'replace':
    case 'append':
      return `Edit ${step.path}`;
    case 'delete':
      return `Delete ${step.path}`;
    default:
      return step.do;
  }
}

async function perform(step: Step, context: StepContext): Promise<StepEnd> {
  const {answer, files, out, print} = context;
  switch (step.do) {
    case 'print':
      print(withAnswer(step.text, answer));
      return {files};
    case 'report':
      return {files};
    case 'use':
      context.onUse(step.usage);
      return {files};
    case 'wait':
      await delay(step.milliseconds);
      return {files};
    case 'fail':
      return {at: 'gave-up', text: withAnswer(step.words, answer), code: 1};
    case 'ask': {
      const given = await askAtTerminal(
        {...step, question: withAnswer(step.question, answer)},
        out,
        context,
      );
      return given === undefined
        ? {at: 'gave-up', text: `The question "${step.question}" was not answered.`, code: 1}
        : {files, answer: given};
    }

    case 'run': {
      context.note({});
      print(`● ${formatTitle(step)}`);
      // The answer is passed as a variable, so that the shell never runs typed text as a command.
      const code = await runShellCommand(step.command, {
        directory: context.directory,
        env: {...context.env, answer},
      });
      if (code === 0) return {files};
      print(`  ✗ exit code ${code}`);
      if (!step.mayFail)
        return {
          at: 'failed',
          text: `The command "${step.command}" exited with code ${code}.`,
          code,
        };
      return {files};
    }

    default:
      return changeStepFile(step, context);
  }
}

function changeStepFile(
  step: FileStep,
  {answer, files, directory, note, print}: StepContext,
): StepEnd {
  const change = changeFile(step, directory, answer);
  if ('rejected' in change) return {at: 'failed', text: change.rejected, code: 1};
  const {before, after, lines, make} = change;
  note({
    files: withNotedFile(files, step.path, before, before),
    underWay: {path: step.path, after},
  });
  make();
  print(
    [
      `● ${formatTitle(step)} ✓ ${formatCounts(lines)}`.trimEnd(),
      ...formatChangedLines(lines),
    ].join('\n'),
  );
  return {files: withNotedFile(withNotedFile(files, step.path, before, before), step.path, after)};
}
