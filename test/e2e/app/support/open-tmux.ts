import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {eventually} from '../../../support/eventually.ts';
import {isRunning} from '../../../daemon/support/daemon-fixture.ts';

/** A pane in its own tmux server, driven by keys. */
export type Tmux = {
  /** Replaces the program in the pane. */
  readonly run: (cwd: string, ...argv: readonly string[]) => void;
  /** Keys by the names that tmux has for them. */
  readonly press: (...keys: readonly string[]) => void;
  readonly type: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly size: () => string;
  readonly screen: () => string;
  /** The title of the window. */
  readonly title: () => string;
  /** Waits until the screen matches, and returns the match. */
  readonly shows: (what: RegExp, limit?: number) => Promise<RegExpExecArray>;
  /** The program in the pane. */
  readonly pid: () => number;
  /** The exit code of the program, once it has ended. */
  readonly end: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export function openTmux(options: {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}): Tmux {
  const {home, columns, rows} = options;
  const env = {...options.env, TMUX_TMPDIR: home};
  const tmux = (...argv: readonly string[]): string =>
    execFileSync('tmux', ['-L', 'orchestra', '-f', '/dev/null', '-u', ...argv], {
      env,
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const notified = (what: string): string => tmux('display-message', '-p', what).trim();
  tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    'exec cat',
    ';',
    'set-option',
    '-g',
    'remain-on-exit',
    'on',
    ';',
    'set-option',
    '-g',
    'escape-time',
    '0',
    ';',
    'set-option',
    '-g',
    'status',
    'off',
    ';',
    'resize-window',
    '-x',
    String(columns),
    '-y',
    String(rows),
  );
  const server = Number(notified('#{pid}'));

  // By files: of a program that ends, tmux 3.3a sometimes never learns how.
  const [pidFile, codeFile] = [path.join(home, 'pane.pid'), path.join(home, 'pane.code')];
  const screen = (): string => tmux('capture-pane', '-p');
  const withScreen = (error: unknown): never => {
    throw new Error(`${String(error)}; the screen shows:\n${screen()}`, {cause: error});
  };
  return {
    run: (cwd, ...argv) => {
      for (const file of [pidFile, codeFile]) rmSync(file, {force: true});
      tmux(
        'respawn-pane',
        '-k',
        '-c',
        cwd,
        `sh -c 'echo $$ >${pidFile}; exec "$@"' sh ${argv.map((word) => `'${word}'`).join(' ')}; echo $? >${codeFile}`,
      );
    },
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    resize: (newColumns, newRows) =>
      void tmux('resize-window', '-x', String(newColumns), '-y', String(newRows)),
    size: () => notified('#{pane_width}×#{pane_height}'),
    screen,
    title: () => notified('#{pane_title}'),
    shows: (what, limit) =>
      eventually(what.source, () => what.exec(screen()), limit).catch(withScreen),
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    end: () =>
      eventually('the end of the program in the pane', () =>
        existsSync(codeFile) && notified('#{pane_dead}') === '1'
          ? Number(readFileSync(codeFile, 'utf8'))
          : undefined,
      ).catch(withScreen),
    close: async () => {
      if (isRunning(server)) tmux('kill-server');
      await eventually('the end of tmux', () => !isRunning(server));
    },
  };
}
