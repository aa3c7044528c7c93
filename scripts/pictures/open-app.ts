import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {makeDemo} from '../../source/cli/demo/make-demo.ts';
import {hintNames} from '../../source/app/model/hint-name.ts';
import {loadPty, openTerminal} from '../../source/keeper/open-terminal.ts';
import {type Cells, createScreen} from '../../source/terminal/index.ts';
import {eventually} from '../../test/support/eventually.ts';

/** The app in a PTY, in the repository of the demo, driven by keys. */
export type AppScreen = {
  readonly press: (keys: string) => void;
  /** The last whole frame: never one of which only a part has arrived. */
  readonly text: () => string;
  readonly cells: () => Cells;
  readonly close: () => Promise<void>;
};

export type AppOptions = {
  readonly launcher: string;
  readonly size: {readonly columns: number; readonly rows: number};
  /** Changes the playbook of the demo. */
  readonly editPlaybook?: (text: string) => string;
  readonly onOutput?: (bytes: Uint8Array) => void;
  /** @default overture */
  readonly theme?: string;
};

/**
 * Opens the app as `orchestra demo` does: the run exists, and the built-in agent follows its
 * playbook.
 */
export async function openApp({
  launcher,
  size,
  editPlaybook,
  onOutput,
  theme = 'overture',
}: AppOptions): Promise<AppScreen> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-pictures-'));
  // A clean environment, so that no picture shows the user or the shell of this machine.
  const env = {
    PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: home,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    ORCHESTRA_IDLE_MS: '600000',
  };
  mkdirSync(env.XDG_RUNTIME_DIR, {mode: 0o700});
  const {root, playbook, text: script, objective} = await makeDemo(env, {directory: home});
  if (editPlaybook !== undefined) writeFileSync(playbook, editPlaybook(script));
  const run = (...argv: readonly string[]): string =>
    spawnSync(process.execPath, [launcher, ...argv], {
      cwd: root,
      env,
      timeout: 60_000,
      encoding: 'utf8',
    }).stdout;
  run('settings', 'theme', theme);
  // No picture is of a first visit.
  const settings = path.join(env.XDG_CONFIG_HOME, 'orchestra');
  mkdirSync(settings, {recursive: true});
  writeFileSync(path.join(settings, 'hints.json'), JSON.stringify({hints: hintNames}));
  run('run', objective, '--playbook', playbook, '--detach');

  const screen = createScreen({
    ...size,
    scrollback: 0,
    onReply: (bytes) => void terminal.write(Buffer.from(bytes)),
  });
  let shown = {text: '', cells: screen.readCells()};
  const ended = Promise.withResolvers<undefined>();
  const opened = openTerminal(
    loadPty(),
    {argv: [process.execPath, launcher], env, cwd: root, size},
    {
      onOutput: (bytes) => {
        screen.write(bytes);
        if (!screen.modes.synchronizedOutput)
          shown = {text: screen.text().join('\n'), cells: screen.readCells()};
        onOutput?.(bytes);
        return true;
      },
      onExit: () => {
        ended.resolve(undefined);
      },
    },
  );
  if ('refusal' in opened) throw new Error(opened.refusal.text);
  const terminal = opened;
  const isQuiet = (): boolean => {
    const output = run('sessions', '--json');
    if (output === '') return true;
    const {sessions} = JSON.parse(output) as {
      readonly sessions: readonly {readonly ended?: unknown}[];
    };
    return sessions.every((session) => session.ended !== undefined);
  };

  return {
    press: (keys) => void terminal.write(Buffer.from(keys)),
    text: () => shown.text,
    cells: () => shown.cells,
    close: async () => {
      try {
        process.kill(terminal.pid, 'SIGKILL');
      } catch {
        // It has exited by itself.
      }

      await ended.promise;
      terminal.close();
      screen.close();
      run('stop', 'r1');
      run('service', 'stop', 'web');
      // A daemon that stops before its keepers have ended leaves them waiting for the next one.
      await eventually('the end of every session', isQuiet, 60_000);
      run('daemon', 'stop');
      rmSync(home, {recursive: true, force: true, maxRetries: 5});
    },
  };
}
