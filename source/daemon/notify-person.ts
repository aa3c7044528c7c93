import {needInWords} from '../documents/index.ts';
import type {Need} from '../domain/index.ts';
import {findProgram} from '../machine/index.ts';
import {readPreferences} from '../settings/index.ts';
import {runTold} from './run-told.ts';

export type Notifying = {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hookMark: string;
  readonly platform: string;
  /** Where the person's preferences are; read each time, for they change while we run. */
  readonly preferences: string;
  /** Somebody has the app open and sees it there. */
  readonly isWatched: () => boolean;
  readonly log: (line: string) => void;
};

const mostMs = 30_000;

/** Tells the person that something needs them: by a command of their own, and on the desktop while no app is open. */
export async function notifyPerson(need: Need, {root, env, hookMark, platform, preferences, isWatched, log}: Notifying): Promise<void> {
  const {command, desktop} = readPreferences(preferences);
  const words = needInWords(need);
  const programs = [
    ...(command === '' ? [] : [{argv: ['/bin/sh', '-c', command], what: 'your command for notifications'}]),
    ...(desktop && !isWatched() ? desktopProgramsFor(words, {root, env, platform}) : []),
  ];
  const ends = await Promise.all(programs.map(({argv, what}) => runTold(argv, {told: {need}, what, cwd: root, env: {...env, ORCHESTRA_NEED: words}, mark: hookMark, timeoutMs: mostMs})));
  for (const {isOk, words: said} of ends) if (!isOk) log(`notification: ${said}`);
}

/** None without a desktop, and none where the program that shows messages is missing. */
export function desktopProgramsFor(words: string, {root, env, platform}: Pick<Notifying, 'root' | 'env' | 'platform'>): {readonly argv: readonly string[]; readonly what: string}[] {
  const isMac = platform === 'darwin';
  if (!isMac && [env['DISPLAY'], env['WAYLAND_DISPLAY']].every((display) => display === undefined || display === '')) return [];
  const {file} = findProgram(isMac ? 'osascript' : 'notify-send', {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) return [];
  // The words are an argument, never part of a script.
  const argv = isMac ? [file, '-e', 'on run argv', '-e', 'display notification (item 1 of argv) with title "orchestra"', '-e', 'end run', words] : [file, '--app-name=orchestra', '--', 'orchestra', words];
  return [{argv, what: 'the message on the desktop'}];
}
