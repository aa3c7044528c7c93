import type {PlaybookReport, Step} from '../documents/index.ts';
import {type Begin, beginOf, withFile} from './begin-of.ts';
import {hashNow} from './change-file.ts';
import {doStep} from './do-step.ts';
import {type Progress, nameOf, noteProgress, progressFileOf, readProgress} from './progress.ts';
import type {CommandOptions} from './run-command.ts';

export type Following = CommandOptions & {
  readonly task: string;
  readonly attempt: number;
  readonly steps: readonly Step[];
  readonly out: (text: string) => void;
  readonly say: (text: string) => void;
};

export type Ending = {
  readonly at: 'finished' | 'gave-up' | 'failed';
  readonly words: string;
  readonly code: number;
  readonly report?: PlaybookReport;
  readonly answer: string;
};

/**
 * Does the steps one after the other, and notes each, so that after a crash the same steps end in the same tree. The notes
 * stay: also an attempt that is started again when all is done, because nobody saw it end, must do nothing twice.
 */
export async function followSteps(following: Following): Promise<Ending> {
  const {task, attempt, steps, directory, say} = following;
  const name = nameOf(task, attempt, steps);
  const notes = openNotes(directory, say);
  const begin = beginOf(notes.read(), name, steps, (path) => hashNow(directory, path));
  say(
    `playbook: ${task}, attempt ${attempt}, ${steps.length === 1 ? '1 step' : `${steps.length} steps`}`,
  );
  if (begin.from > 0) say(`playbook: the first ${begin.from} of them are done already`);

  let state: Begin = begin;
  while (state.from < steps.length) {
    const index = state.from;
    const step = steps[index];
    if (step === undefined) break;
    const place = `${task} step ${index + 1} (line ${step.line})`;
    const note = (more: Partial<Progress>): void => {
      notes.write({of: name, done: index, answer: state.answer, files: state.files, ...more});
    };

    const end = await doStep(step, {
      ...following,
      number: index + 1,
      answer: state.answer,
      note,
      files: state.files,
    });
    if ('at' in end) {
      // Whoever starts it again means it to be tried again; a command that failed is repeated.
      return {at: end.at, words: `${place}: ${end.words}`, code: end.code, answer: state.answer};
    }

    state = {
      from: index + 1,
      answer: end.answer ?? state.answer,
      files: step.do === 'run' ? lookAgain(end.files, directory) : end.files,
    };
    notes.write({of: name, done: state.from, answer: state.answer, files: state.files});
  }

  const report = steps.find((step) => step.do === 'report')?.report;
  return {
    at: 'finished',
    words: `Followed the playbook for ${task}: ${steps.length === 1 ? '1 step' : `${steps.length} steps`}.`,
    code: 0,
    ...(report !== undefined && {report}),
    answer: state.answer,
  };
}

/** A command may have changed what the steps before it wrote: a formatter does. */
function lookAgain(files: Begin['files'], directory: string): Begin['files'] {
  return files.reduce((all, {path}) => withFile(all, path, hashNow(directory, path)), files);
}

type Notes = {
  readonly read: () => Progress | undefined;
  readonly write: (progress: Progress) => void;
};

function openNotes(directory: string, say: (text: string) => void): Notes {
  const file = progressFileOf(directory);
  let isWritable = file !== undefined;
  return {
    read: () => (file === undefined ? undefined : readProgress(file)),
    write: (progress) => {
      if (file === undefined || !isWritable || noteProgress(file, progress)) return;
      isWritable = false;
      say(
        'playbook: cannot note how far it has come; after a crash it begins again at the first step',
      );
    },
  };
}
