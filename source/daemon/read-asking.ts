import {readDialog, type Dialog, type Driver} from '../agents/index.ts';
import type {AskSource} from '../domain/index.ts';
import type {ScreenReading} from './read-screen.ts';

/** What an agent wants of a person, and who says so. */
export type Asking = {
  readonly source: AskSource;
  readonly question: string;
  readonly options?: readonly string[];
};

/** What the agent itself says comes before what its screen looks like. Nothing: neither says that it asks. */
export function readAsking(
  {status, text, question}: ScreenReading,
  driver: Driver | undefined,
): Asking | undefined {
  const dialog = dialogOn(text, driver);
  const options =
    dialog === undefined || dialog.options.length === 0 ? {} : {options: dialog.options};
  if (status?.state === 'blocked')
    return {source: 'agent', question: wordsOf(status.message, dialog) ?? question, ...options};
  // While it says that it works, what looks like a dialog is something that it shows.
  if (status?.state === 'working' || dialog === undefined) return undefined;
  return {source: 'screen', question: dialog.question, ...options};
}

export function dialogOn(text: readonly string[], driver: Driver | undefined): Dialog | undefined {
  return driver === undefined ? undefined : readDialog(text, driver.screen);
}

function wordsOf(message: string | undefined, dialog: Dialog | undefined): string | undefined {
  if (message === undefined) return dialog?.question;
  return dialog === undefined ? message : `${dialog.question.split(' · ')[0] ?? ''} · ${message}`;
}
