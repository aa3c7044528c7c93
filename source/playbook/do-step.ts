import {setTimeout as pass} from 'node:timers/promises';
import {type Step, withAnswer} from '../documents/index.ts';
import {askPerson} from './ask-person.ts';
import {withFile} from './begin-of.ts';
import {type FileStep, changeFile} from './change-file.ts';
import type {NotedFile, Progress} from './progress.ts';
import {type CommandOptions, runCommand} from './run-command.ts';
import {wordsOf} from './words-of.ts';

export type StepContext = CommandOptions & {
  /** Counted from 1. */
  readonly number: number;
  readonly steps: readonly Step[];
  readonly answer: string;
  readonly files: readonly NotedFile[];
  readonly out: (text: string) => void;
  readonly say: (text: string) => void;
  /** Notes what is about to be done. */
  readonly note: (more: Partial<Progress>) => void;
};

export type StepEnd =
  | {readonly files: readonly NotedFile[]; readonly answer?: string}
  /** It goes no further. */
  | {readonly at: 'gave-up' | 'failed'; readonly words: string; readonly code: number};

/** Does one step. What the system refuses is a failure with its words; here and nowhere else. */
export async function doStep(step: Step, context: StepContext): Promise<StepEnd> {
  context.say(`[${context.number}/${context.steps.length}] ${titleOf(step)}`);
  try {
    return await perform(step, context);
  } catch (error) {
    return {at: 'failed', words: `${titleOf(step)}: ${wordsOf(error)}`, code: 1};
  }
}

function titleOf(step: Step): string {
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
  const {answer, files, out, say} = context;
  switch (step.do) {
    case 'print':
      say(withAnswer(step.text, answer));
      return {files};
    case 'report':
      return {files};
    case 'wait':
      await pass(step.milliseconds);
      return {files};
    case 'fail':
      return {at: 'gave-up', words: withAnswer(step.words, answer), code: 1};
    case 'ask': {
      const given = await askPerson(
        {...step, question: withAnswer(step.question, answer)},
        out,
        context,
      );
      return given === undefined
        ? {at: 'gave-up', words: `The question "${step.question}" was not answered.`, code: 1}
        : {files, answer: given};
    }

    case 'run': {
      context.note({});
      // The answer reaches the shell as a variable: what somebody typed is never read as a command.
      const code = await runCommand(step.command, {
        directory: context.directory,
        env: {...context.env, answer},
      });
      if (code === 0) return {files};
      if (!step.mayFail)
        return {
          at: 'failed',
          words: `The command "${step.command}" ended with exit code ${code}.`,
          code,
        };
      say(`    ended with exit code ${code}, which it may`);
      return {files};
    }

    default:
      return changing(step, context);
  }
}

function changing(step: FileStep, {answer, files, directory, note, say}: StepContext): StepEnd {
  const change = changeFile(step, directory, answer);
  if ('refused' in change) return {at: 'failed', words: change.refused, code: 1};
  const {before, after, words, make} = change;
  note({files: withFile(files, step.path, before, before), underWay: {path: step.path, after}});
  make();
  say(`    ${words}`);
  return {files: withFile(withFile(files, step.path, before, before), step.path, after)};
}
