import {setTimeout as delay} from 'node:timers/promises';
import {type PlaybookReport, type Step, withAnswer} from '../playbook/index.ts';
import {
  attemptKey,
  type Begin,
  findBegin,
  findProgressFile,
  type NotedFile,
  type Progress,
  readProgress,
  withFile,
  writeProgress,
} from './progress.ts';
import {changeFile, type FileStep, hashNow} from './change-file.ts';
import {askPerson, type CommandOptions, runCommand} from './shell.ts';
import {formatSystemError} from '../files/index.ts';
import {pluralize} from '../shared/index.ts';

export type Following = CommandOptions & {
  readonly task: string;
  readonly attempt: number;
  readonly steps: readonly Step[];
  readonly out: (text: string) => void;
  readonly print: (text: string) => void;
};

export type Ending = {
  readonly at: 'finished' | 'gave-up' | 'failed';
  readonly text: string;
  readonly code: number;
  readonly report?: PlaybookReport;
  readonly answer: string;
};

/**
 * Runs the steps in order and records each, so that after a crash the same steps end in the same
 * tree. The record is not removed at the end: an attempt that is started again because nobody saw
 * its end must not repeat a step.
 */
export async function followSteps(following: Following): Promise<Ending> {
  const {task, attempt, steps, directory, print} = following;
  const key = attemptKey(task, attempt, steps);
  const notes = openNotes(directory, print);
  const begin = findBegin(notes.read(), key, steps, (path) => hashNow(directory, path));
  print(`playbook: ${task}, attempt ${attempt}, ${pluralize(steps.length, 'step')}`);
  if (begin.from > 0) print(`playbook: the first ${begin.from} of them are done already`);

  let state: Begin = begin;
  while (state.from < steps.length) {
    const index = state.from;
    const step = steps[index];
    if (step === undefined) break;
    const place = `${task} step ${index + 1} (line ${step.line})`;
    const note = (more: Partial<Progress>): void => {
      notes.write({of: key, done: index, answer: state.answer, files: state.files, ...more});
    };

    const end = await runStep(step, {
      ...following,
      number: index + 1,
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
  return files.reduce((all, {path}) => withFile(all, path, hashNow(directory, path)), files);
}

type Notes = {
  readonly read: () => Progress | undefined;
  readonly write: (progress: Progress) => void;
};

function openNotes(directory: string, print: (text: string) => void): Notes {
  const file = findProgressFile(directory);
  let isWritable = file !== undefined;
  return {
    read: () => (file === undefined ? undefined : readProgress(file)),
    write: (progress) => {
      if (file === undefined || !isWritable || writeProgress(file, progress)) return;
      isWritable = false;
      print(
        'playbook: cannot note how far it has come; after a crash it begins again at the first step',
      );
    },
  };
}

type StepContext = CommandOptions & {
  /** Counted from 1. */
  readonly number: number;
  readonly steps: readonly Step[];
  readonly answer: string;
  readonly files: readonly NotedFile[];
  readonly out: (text: string) => void;
  readonly print: (text: string) => void;
  /** Records what is about to be done. */
  readonly note: (more: Partial<Progress>) => void;
};

type StepEnd =
  | {readonly files: readonly NotedFile[]; readonly answer?: string}
  /** The playbook stops here. */
  | {readonly at: 'gave-up' | 'failed'; readonly text: string; readonly code: number};

/** Runs one step. A system error becomes a failure of the step. */
async function runStep(step: Step, context: StepContext): Promise<StepEnd> {
  context.print(`[${context.number}/${context.steps.length}] ${formatTitle(step)}`);
  try {
    return await perform(step, context);
  } catch (error) {
    return {at: 'failed', text: `${formatTitle(step)}: ${formatSystemError(error)}`, code: 1};
  }
}

function formatTitle(step: Step): string {
  switch (step.do) {
    case 'run':
      return `run: ${step.command}`;
    case 'wait':
      return `wait ${step.milliseconds} ms`;
    case 'replace':
    case 'write':
    case 'append':
    case 'delete':
      return `${step.do} ${step.path}`;
    case 'print':
    case 'ask':
    case 'fail':
    case 'report':
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
    case 'wait':
      await delay(step.milliseconds);
      return {files};
    case 'fail':
      return {at: 'gave-up', text: withAnswer(step.words, answer), code: 1};
    case 'ask': {
      const given = await askPerson(
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
      // The answer is passed as a variable, so that the shell never runs typed text as a command.
      const code = await runCommand(step.command, {
        directory: context.directory,
        env: {...context.env, answer},
      });
      if (code === 0) return {files};
      if (!step.mayFail)
        return {
          at: 'failed',
          text: `The command "${step.command}" ended with exit code ${code}.`,
          code,
        };
      print(`    ended with exit code ${code}, which it may`);
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
  const {before, after, text, make} = change;
  note({files: withFile(files, step.path, before, before), underWay: {path: step.path, after}});
  make();
  print(`    ${text}`);
  return {files: withFile(withFile(files, step.path, before, before), step.path, after)};
}
