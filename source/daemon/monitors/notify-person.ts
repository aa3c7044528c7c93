import path from 'node:path';
import {cutLine, sanitizeText} from '../../shared/index.ts';
import {formatNeed, subjectOfNeed} from '../../reports/index.ts';
import {
  isRunId,
  isTaskId,
  type Need,
  selectRun,
  selectSession,
  selectTask,
  type State,
  type TaskId,
  taskIdOfSession,
} from '../../domain/index.ts';
import {findProgram} from '../../system/index.ts';
import {readPreferences} from '../../config/index.ts';
import {runUserProgram} from './hooks.ts';

export type Notifying = {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hookMark: string;
  readonly platform: string;
  /** The directory of the person's preferences, which are read each time: they may change. */
  readonly preferences: string;
  /** Whether the app is open and shows it. */
  readonly isWatched: () => boolean;
  readonly log: (line: string) => void;
};

const programMs = 30_000;

/** In characters: a desktop shows a line or two of each. */
const maxLength = {title: 80, text: 300};

/**
 * Notifies the person of a need: with their own command, and on the desktop while no app is open.
 */
export async function notifyPerson(
  need: Need,
  state: State,
  {root, env, hookMark, platform, preferences, isWatched, log}: Notifying,
): Promise<void> {
  const {command, desktop} = readPreferences(preferences);
  const title = formatTitle(need, state, root);
  const text = cutLine(formatNeed(need), maxLength.text);
  const programs = [
    ...(command === ''
      ? []
      : [{argv: ['/bin/sh', '-c', command], what: 'your command for notifications'}]),
    ...(desktop && !isWatched() ? desktopProgramsFor({title, text}, {root, env, platform}) : []),
  ];
  const ends = await Promise.all(
    programs.map(({argv, what}) =>
      runUserProgram(argv, {
        input: {need, title, repository: root},
        what,
        cwd: root,
        env: {...env, ORCHESTRA_NEED: text, ORCHESTRA_TITLE: title},
        mark: hookMark,
        timeoutMs: programMs,
      }),
    ),
  );
  for (const {isOk, text: output} of ends) if (!isOk) log(`notification: ${output}`);
}

/**
 * For example `repository · r1.t2 Title of the task`. Sanitised, because titles come from agents.
 */
export function formatTitle(need: Need, state: State, root: string): string {
  const about = subjectOfNeed(need);
  const task = selectTaskId(need, state);
  const run = isRunId(about) ? selectRun(state, about) : undefined;
  const title =
    (task === undefined ? undefined : selectTask(state, task)?.planned.title) ??
    run?.request.objective;
  const subject = `${task ?? about}${title === undefined ? '' : ` ${title}`}`;
  return cutLine(
    sanitizeText(`${path.basename(root)} · ${subject}`)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    maxLength.title,
  );
}

function selectTaskId(need: Need, state: State): TaskId | undefined {
  const about = subjectOfNeed(need);
  if (isTaskId(about)) return about;
  const session = 'session' in need ? selectSession(state, need.session) : undefined;
  return session === undefined ? undefined : taskIdOfSession(session);
}

/** None without a desktop, or without the program that shows notifications. */
export function desktopProgramsFor(
  {title, text}: {readonly title: string; readonly text: string},
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
  // Title and text are arguments, never part of a script.
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
        text,
      ]
    : [file, '--app-name=orchestra', '--', title, text];
  return [{argv, what: 'the message on the desktop'}];
}
