import type {TestContext} from 'node:test';
import {spawn as spawnTerminal} from 'node-pty';
import {cookieName, readProcessTree, signalProcess} from '../../../source/system/index.ts';
import {kernel} from '../../system/support/own-kernel.ts';
import {eventually} from '../../support/eventually.ts';

/** A program on a terminal of its own, as a keeper has it. */
export type Seat = {
  readonly pid: number;
  readonly cookie: string;
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly signal: (name: NodeJS.Signals, target?: 'group' | 'program') => void;
  readonly screen: () => string;
  readonly shows: (text: string) => Promise<unknown>;
  readonly exit: () =>
    {readonly exitCode: number; readonly signal?: number | undefined} | undefined;
  /** The names of all that came of it. */
  readonly members: () => Promise<readonly string[]>;
};

let seats = 0;

/** Whatever came of it is ended after the test. */
export function sitAt(
  t: TestContext,
  [file = '', ...argv]: readonly string[],
  env: Readonly<Record<string, string>>,
): Seat {
  seats += 1;
  const cookie = `seat-${process.pid}-${seats}`;
  const pty = spawnTerminal(file, argv, {
    cwd: '/',
    cols: 80,
    rows: 24,
    name: 'xterm-256color',
    env: {...env, TERM: 'xterm-256color', PS1: '$ ', [cookieName]: cookie},
  });
  let [text, ended]: [string, ReturnType<Seat['exit']>] = ['', undefined];
  pty.onData((piece) => {
    text += piece;
  });
  pty.onExit((exit) => {
    ended = exit;
  });
  const members = async (): Promise<
    readonly {
      readonly identity: Parameters<typeof signalProcess>[0]['identity'];
      readonly name: string;
    }[]
  > => {
    const found = await readProcessTree({cookie}, kernel);
    return 'value' in found ? found.value.members : [];
  };

  t.after(async () => {
    for (const {identity} of await members()) await signalProcess({identity}, 'SIGKILL', kernel);
    await eventually('the program is over', () => ended);
  });
  return {
    pid: pty.pid,
    cookie,
    type: (keys) => {
      pty.write(keys);
    },
    resize: (columns, rows) => {
      pty.resize(columns, rows);
    },
    signal: (name, target = 'group') => {
      process.kill(target === 'group' ? -pty.pid : pty.pid, name);
    },
    screen: () => text,
    shows: (wanted) =>
      eventually(
        `the screen shows ${JSON.stringify(wanted)}, and not only: ${JSON.stringify(text)}`,
        () => text.includes(wanted),
      ),
    exit: () => ended,
    members: async () => (await members()).map(({name}) => name).toSorted(),
  };
}
