import path from 'node:path';
import {cutLine, sanitizeText} from '../base/index.ts';
import {needInWords, subjectOfNeed} from '../documents/index.ts';
import {
  isRunId,
  isTaskId,
  runOf,
  sessionOf,
  taskIdOfSession,
  taskOf,
  type Need,
  type State,
} from '../domain/index.ts';
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

/** A desktop shows a line or two of each. */
const most = {title: 80, words: 300};

/** Tells the person that something needs them: by a command of their own, and on the desktop while no app is open. */
export async function notifyPerson(
  need: Need,
  state: State,
  {root, env, hookMark, platform, preferences, isWatched, log}: Notifying,
): Promise<void> {
  const {command, desktop} = readPreferences(preferences);
  const title = titleOf(need, state, root);
  const words = cutLine(needInWords(need), most.words);
  const programs = [
    ...(command === ''
      ? []
      : [{argv: ['/bin/sh', '-c', command], what: 'your command for notifications'}]),
    ...(desktop && !isWatched() ? desktopProgramsFor({title, words}, {root, env, platform}) : []),
  ];
  const ends = await Promise.all(
    programs.map(({argv, what}) =>
      runTold(argv, {
        told: {need, title, repository: root},
        what,
        cwd: root,
        env: {...env, ORCHESTRA_NEED: words, ORCHESTRA_TITLE: title},
        mark: hookMark,
        timeoutMs: mostMs,
      }),
    ),
  );
  for (const {isOk, words: said} of ends) if (!isOk) log(`notification: ${said}`);
}

/** Where and what it is about: `repository · r1.t2 Title of the task`. Titles come from agents, and names from whoever made the directory. */
export function titleOf(need: Need, state: State, root: string): string {
  const about = subjectOfNeed(need);
  const session = 'session' in need ? sessionOf(state, need.session) : undefined;
  const task = isTaskId(about)
    ? about
    : session === undefined
      ? undefined
      : taskIdOfSession(session);
  const run = isRunId(about) ? runOf(state, about) : undefined;
  const called =
    (task === undefined ? undefined : taskOf(state, task)?.planned.title) ?? run?.request.objective;
  const subject = `${task ?? about}${called === undefined ? '' : ` ${called}`}`;
  return cutLine(
    sanitizeText(`${path.basename(root)} · ${subject}`)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most.title,
  );
}

/** None without a desktop, and none where the program that shows messages is missing. */
export function desktopProgramsFor(
  {title, words}: {readonly title: string; readonly words: string},
  {root, env, platform}: Pick<Notifying, 'root' | 'env' | 'platform'>,
): {readonly argv: readonly string[]; readonly what: string}[] {
  const isMac = platform === 'darwin';
  if (
    !isMac &&
    [env['DISPLAY'], env['WAYLAND_DISPLAY']].every(
      (display) => display === undefined || display === '',
    )
  )
    return [];
  const {file} = findProgram(isMac ? 'osascript' : 'notify-send', {
    path: env['PATH'] ?? '',
    outside: root,
  });
  if (file === undefined) return [];
  // Title and words are arguments, never part of a script.
  const argv = isMac
    ? [
        file,
        '-e',
        'on run argv',
        '-e',
        'display notification (item 2 of argv) with title (item 1 of argv)',
        '-e',
        'end run',
        title,
        words,
      ]
    : [file, '--app-name=orchestra', '--', title, words];
  return [{argv, what: 'the message on the desktop'}];
}
