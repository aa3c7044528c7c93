import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {loadPty, openTerminal} from '../../source/keeper/open-terminal.ts';
import {type Cells, createScreen} from '../../source/terminal/index.ts';
import {eventually} from '../../test/support/eventually.ts';

/** The demo in a PTY, driven by keys. */
export type DemoScreen = {
  readonly press: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly shows: (what: RegExp) => Promise<void>;
  /**
   * Presses until the screen shows it: deciding keys are blocked for a moment after the screen has
   * changed.
   */
  readonly pressUntil: (text: string, what: RegExp) => Promise<void>;
  readonly cells: () => Cells;
  /** Starts a run of a playbook in the demo repository. */
  readonly start: (objective: string, playbook: string) => void;
  readonly close: () => Promise<void>;
};

export function openDemo(
  launcher: string,
  size: {readonly columns: number; readonly rows: number},
): DemoScreen {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-pictures-'));
  // A clean environment, so that no picture shows the user or the shell of this machine.
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
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
  const screen = createScreen({
    ...size,
    scrollback: 0,
    onReply: (bytes) => void terminal.write(Buffer.from(bytes)),
  });
  const ended = Promise.withResolvers<undefined>();
  const opened = openTerminal(
    loadPty(),
    {argv: [process.execPath, launcher, 'demo'], env, cwd: home, size},
    {
      onOutput: (bytes) => {
        screen.write(bytes);
        return true;
      },
      onExit: () => {
        ended.resolve(undefined);
      },
    },
  );
  if ('refusal' in opened) throw new Error(opened.refusal.text);
  const terminal = opened;
  const text = (): string => screen.text().join('\n');

  const shows = async (what: RegExp, limit = 60_000): Promise<void> => {
    await eventually(what.source, () => what.test(text()), limit).catch((error: unknown) => {
      throw new Error(`${String(error)}; the screen shows:\n${text()}`, {cause: error});
    });
  };

  const run = (...argv: readonly string[]): string => {
    const demo = readdirSync(home).find((name) => name.startsWith('orchestra-demo-'));
    return demo === undefined
      ? ''
      : spawnSync(process.execPath, [launcher, ...argv], {
          cwd: path.join(home, demo, 'till'),
          env,
          timeout: 60_000,
          encoding: 'utf8',
        }).stdout;
  };

  const isQuiet = (): boolean => {
    const output = run('sessions', '--json');
    return (
      output === '' ||
      (
        JSON.parse(output) as {readonly sessions: readonly {readonly ended?: unknown}[]}
      ).sessions.every(({ended}) => ended !== undefined)
    );
  };

  return {
    press: (keys) => void terminal.write(Buffer.from(keys)),
    resize: (columns, rows) => {
      screen.resize(columns, rows);
      terminal.resize({columns, rows});
    },
    shows,
    pressUntil: async (keys, what) => {
      await eventually(
        `what ${keys} leads to`,
        async () => {
          terminal.write(Buffer.from(keys));
          return shows(what, 1500).then(
            () => true,
            () => false,
          );
        },
        30_000,
      );
    },
    cells: () => screen.readCells(),
    start: (objective, playbook) => {
      const file = path.join(
        home,
        readdirSync(home).find((name) => name.startsWith('orchestra-demo-')) ?? '',
        'another.yaml',
      );
      writeFileSync(file, playbook);
      run('run', objective, '--playbook', file, '--detach');
    },
    close: async () => {
      terminal.write(Buffer.from('\u001D\u001Bq'));
      await Promise.race([
        ended.promise,
        eventually('never', () => false, 3000).catch(() => undefined),
      ]);
      try {
        process.kill(terminal.pid, 'SIGKILL');
      } catch {
        // It has exited by itself.
      }

      await ended.promise;
      terminal.close();
      screen.close();
      run('stop', 'r1');
      run('service', 'stop', 'till');
      // A daemon that stops before its keepers have ended leaves them waiting for the next one.
      await eventually('the end of every session', isQuiet, 60_000);
      run('daemon', 'stop');
      rmSync(home, {recursive: true, force: true, maxRetries: 5});
    },
  };
}
