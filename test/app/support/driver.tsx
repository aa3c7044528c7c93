// A program that runs the loop on its own terminal, with real shells in its panes: `node --import
// tsx test/app/support/driver.tsx`.
// Keys: 1 and 2 type into a pane, Ctrl-] leaves; u scrolls up, d down; e fails on purpose; Ctrl-Z
// stops; q leaves.
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {Box, Text} from 'ink';
import {spawn} from 'node-pty';
import type {ReactElement} from 'react';
import {Pane} from '../../../source/app/ink/regions.tsx';
import {useStore} from '../../../source/app/store.tsx';
import type {LiveState} from '../../../source/client/index.ts';
import {emptyState, type SessionId} from '../../../source/domain/index.ts';
import type {PaneView} from '../../../source/app/panes/viewport-state.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {
  type App,
  createApp,
  type LoopOptions,
  type Signal,
  type UiEffect,
  type View,
} from '../../../source/app/index.ts';

type Model = {
  readonly typing?: SessionId;
  readonly titles: Readonly<Record<string, PaneView>>;
  readonly size: Size;
  readonly last: string;
};

const sessions: readonly SessionId[] = ['s1', 's2'];
const listWidth = 20;

function Root(): ReactElement {
  const {model, size} = useStore((view: View<Model>) => view);
  return (
    <Box width={size.columns} height={size.rows} flexDirection="column">
      <Box height={1}>
        <Text inverse>needs you: nothing 日本語 ✅</Text>
      </Box>
      <Box flexGrow={1}>
        <Box width={listWidth} flexDirection="column" flexShrink={0}>
          {sessions.map((session) => (
            <Text key={session} color="#33aa55">
              {`${session === model.typing ? '▸' : '●'} ${session}`}
            </Text>
          ))}
        </Box>
        {sessions.map((session) => (
          <Box
            key={session}
            flexGrow={1}
            flexBasis={0}
            borderStyle={model.typing === session ? 'double' : 'round'}
          >
            <Pane session={session} />
          </Box>
        ))}
      </Box>
      <Box height={1}>
        <Text wrap="truncate">
          {`${model.typing === undefined ? 'COMMAND' : 'TYPING'} last: ${model.last} scroll: ${model.titles['s1']?.scroll ?? 0}`}
        </Text>
      </Box>
    </Box>
  );
}

const effects: Readonly<Record<string, readonly UiEffect[]>> = {
  u: [{type: 'scroll', session: 's1', by: {to: 'half-page-up'}}],
  d: [{type: 'scroll', session: 's1', by: {to: 'bottom'}}],
  q: [{type: 'quit', code: 7}],
  'ctrl+z': [{type: 'suspend'}],
};

const app: App<Model, {readonly type: 'pressed'; readonly name: string}> = {
  model: {titles: {}, size: {columns: 0, rows: 0}, last: 'ready'},
  keymap: (_, {name, ctrl}) => ({type: 'pressed', name: ctrl ? `ctrl+${name}` : name}),
  update(model, action) {
    const {typing, ...rest} = model;
    const stay = typing === undefined ? rest : {...rest, typing};
    if (action.type === 'pane-changed')
      return {
        model: {...stay, titles: {...model.titles, [action.session]: action.view}},
        commands: [],
        effects: [],
      };
    if (action.type === 'typing-left')
      return {model: {...rest, last: 'left'}, commands: [], effects: []};
    if (action.type !== 'pressed')
      return {model: {...stay, last: action.type}, commands: [], effects: []};
    if (action.name === 'e') throw new Error('failed on purpose');
    const into = ({1: 's1', 2: 's2'} as const)[action.name];
    return {
      model: {...rest, ...(into !== undefined && {typing: into}), last: action.name},
      commands: [],
      effects: effects[action.name] ?? [],
    };
  },
  input: ({typing}) => (typing === undefined ? {} : {typing}),
  root: <Root />,
};

const options: LoopOptions = {
  connect: () =>
    Promise.resolve({
      state: () => emptyState,
      ask: () => Promise.resolve(undefined),
      welcome: {type: 'welcome', protocol: 1, build: 'driver', pid: process.pid, seq: 0},
      until: () => Promise.resolve(emptyState),
      ended: new Promise(() => undefined),
      close: () => undefined,
    } satisfies LiveState),
  openPane(_session, {columns, rows}, {bytes, ended}) {
    const shell = spawn('/bin/sh', ['-i'], {
      cols: columns,
      rows,
      encoding: null,
      env: {PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', PS1: '$ ', LANG: 'C.UTF-8'},
    });
    shell.onData((data) => {
      bytes(data as unknown as Uint8Array);
    });
    shell.onExit(() => {
      ended('exit');
    });
    return Promise.resolve({
      snapshot: new Uint8Array(0),
      write: (given) => {
        shell.write(Buffer.from(given));
      },
      resize: (size) => {
        shell.resize(size.columns, size.rows);
      },
      reply: (given) => {
        shell.write(Buffer.from(given));
      },
      close: () => {
        shell.kill('SIGKILL');
      },
    });
  },
  terminal: {
    write: (text) => {
      process.stdout.write(text);
    },
    size: () => ({columns: process.stdout.columns, rows: process.stdout.rows}),
    onResize(resized) {
      process.stdout.on('resize', resized);
      return () => process.stdout.off('resize', resized);
    },
    onInput(received) {
      process.stdin.on('data', received);
      process.stdin.resume();
      return () => process.stdin.off('data', received).pause();
    },
    raw: (isOn) => {
      process.stdin.setRawMode(isOn);
    },
    backlog: () => process.stdout.writableLength,
  },
  handOver: () => Promise.resolve(),
  edit: (text) => Promise.resolve(text),
  env: process.env,
  now: () => performance.now(),
  uiState: {read: () => undefined, write: () => undefined},
  onSignal(received) {
    const names = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGTSTP', 'SIGCONT', 'exit'] as const;
    const listeners = names.map(
      (name) =>
        [
          name,
          (): void => {
            received(name satisfies Signal);
          },
        ] as const,
    );
    for (const [name, listener] of listeners) process.on(name, listener);
    return () => {
      for (const [name, listener] of listeners) process.off(name, listener);
    };
  },
  suspend: () => process.kill(process.pid, 'SIGSTOP'),
};

try {
  process.exitCode = await createApp(app, options).run();
} catch (error) {
  console.error(`driver: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

process.exit();
