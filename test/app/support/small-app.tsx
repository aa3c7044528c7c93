import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {LiveState} from '../../../source/client/index.ts';
import {emptyState, type Event, type SessionId, type State} from '../../../source/domain/index.ts';
import {createApp} from '../../../source/app/runtime/create-app.ts';
import type {Key} from '../../../source/app/input/key.ts';
import {Pane} from '../../../source/app/ink/regions.tsx';
import type {Size} from '../../../source/app/render/frame.ts';
import {useStore} from '../../../source/app/store.tsx';
import type {
  App,
  LoopOptions,
  UiEffect,
  UiEvent,
  UpdateResult,
  View,
} from '../../../source/app/app-contract.ts';
import {type Clock, createClock} from './clock.ts';
import {createDevice, type Device} from './device.ts';
import {createSources, settle, type Sources} from './sources.ts';

/**
 * The smallest app that uses everything of the loop: a line on top, a list, two panes, and a line
 * that says what happened last.
 */
export type SmallModel = {
  readonly presses: number;
  readonly typing?: SessionId;
  readonly panes: readonly SessionId[];
  readonly last: string;
  readonly hasPalette: boolean;
  readonly ticks: number;
};

export type SmallAction = {readonly type: 'pressed'; readonly key: Key};

export type SmallSimulator = {
  readonly device: Device;
  readonly clock: Clock;
  readonly sources: Sources;
  readonly events: UiEvent[];
  /** How often the tree was rendered. */
  readonly renders: () => number;
  readonly daemon: Daemon;
  readonly remembered: unknown[];
  readonly finished: Promise<number>;
};

export type Daemon = {
  readonly connect: LoopOptions['connect'];
  readonly lose: () => void;
  readonly notify: (event: Event, state: State) => void;
  readonly refuse: (text: string | undefined) => void;
  readonly asked: unknown[];
  readonly connections: () => number;
};

export type SmallOptions = {
  readonly size?: Size;
  readonly panes?: readonly SessionId[];
  readonly snapshots?: Readonly<Record<string, string>>;
  /** What a key does beside being counted. */
  readonly keys?: Readonly<Record<string, readonly UiEffect[]>>;
  readonly on?: (event: UiEvent) => readonly UiEffect[];
  readonly app?: Partial<App<SmallModel, SmallAction>>;
  readonly options?: Partial<LoopOptions>;
  readonly mouse?: boolean;
};

/** Starts it on a terminal, and waits until it has drawn and is connected. */
export async function startSmallApp({
  size = {columns: 80, rows: 24},
  panes = ['s1', 's2'],
  snapshots,
  keys = {},
  on = () => [],
  app = {},
  options = {},
  mouse = false,
}: SmallOptions = {}): Promise<SmallSimulator> {
  const device = createDevice(size);
  const clock = createClock();
  const sources = createSources(snapshots);
  const daemon = createDaemon();
  const events: UiEvent[] = [];
  const remembered: unknown[] = [];
  let renders = 0;

  const update = (model: SmallModel, action: SmallAction | UiEvent): UpdateResult<SmallModel> => {
    if (action.type === 'pressed') {
      const {name, ctrl} = action.key;
      const pressed = {...model, presses: model.presses + 1, last: name};
      const effects = keys[ctrl ? `ctrl+${name}` : name] ?? [];
      if (name === 'i') return {model: {...pressed, typing: 's1'}, commands: [], effects};
      return {
        model: name === 'p' ? {...pressed, hasPalette: !model.hasPalette} : pressed,
        commands: name === 'w' ? [{type: 'note', on: 'r1', text: 'x'} as never] : [],
        effects,
      };
    }

    events.push(action);
    const {typing, ...rest} = model;
    const next =
      action.type === 'typing-left' ? rest : {...rest, ...(typing !== undefined && {typing})};
    return {
      model: {
        ...next,
        last: action.type,
        ticks: model.ticks + (action.type === 'time-passed' ? 1 : 0),
      },
      commands: [],
      effects: on(action),
    };
  };

  const whole: App<SmallModel, SmallAction> = {
    model: {presses: 0, panes, last: 'nothing', hasPalette: false, ticks: 0},
    update,
    keymap: (_, key) => ({type: 'pressed', key}),
    input: ({typing}) => ({...(typing !== undefined && {typing}), mouse}),
    root: (
      <SmallRoot
        onRender={() => {
          renders++;
        }}
      />
    ),
    toUiState: ({presses}) => ({presses}),
    ...app,
  };

  const finished = createApp(whole, {
    connect: daemon.connect,
    openPane: sources.openPane,
    terminal: device.terminal,
    handOver: () => Promise.resolve(),
    edit: (text) => Promise.resolve(text),
    env: {TERM: 'xterm-256color', COLORTERM: 'truecolor'},
    now: clock.now,
    after: clock.after,
    uiState: {read: () => undefined, write: (value) => remembered.push(value)},
    onSignal: device.onSignal,
    ...options,
  }).run();
  finished.catch(() => undefined);
  await settle();
  clock.pass(100);
  await settle();
  return {
    device,
    clock,
    sources,
    events,
    renders: () => renders,
    daemon,
    remembered,
    finished,
  };
}

function SmallRoot({onRender}: {readonly onRender: () => void}): ReactElement {
  const {model, size} = useStore((view: View<SmallModel>) => view);
  onRender();
  return (
    <Box width={size.columns} height={size.rows} flexDirection="column">
      <Box height={2}>
        <Text>{`pressed ${model.presses}`}</Text>
      </Box>
      <Box flexGrow={1} marginLeft={20} columnGap={1}>
        {model.panes.map((session) => (
          <Pane key={session} session={session} />
        ))}
      </Box>
      <Box height={2} alignItems="flex-end">
        <Text>{`last: ${model.last}`}</Text>
      </Box>
      {model.hasPalette ? (
        <Box position="absolute" top={5} left={18} width={12} backgroundColor="#000000">
          <Text>: palette</Text>
        </Box>
      ) : null}
    </Box>
  );
}

/** A daemon that knows this and grants everything. */
export function createDaemon(state: State = emptyState): Daemon {
  let ended = Promise.withResolvers<undefined>();
  let handleEvent: (event: Event, state: State) => void = () => undefined;
  let refusal: string | undefined;
  let connections = 0;
  const asked: unknown[] = [];
  return {
    connect(received) {
      if (refusal !== undefined) return Promise.reject(new Error(refusal));
      connections++;
      handleEvent = received;
      ended = Promise.withResolvers();
      const live = {
        state: () => state,
        ask: (question: unknown) => {
          asked.push(question);
          return Promise.resolve('granted');
        },
        welcome: {type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0},
        until: () => Promise.resolve(state),
        ended: ended.promise,
        close: () => {
          ended.resolve(undefined);
        },
      } satisfies LiveState;
      return Promise.resolve(live);
    },
    lose: () => {
      ended.resolve(undefined);
    },
    notify: (event, state) => {
      handleEvent(event, state);
    },
    refuse(text) {
      refusal = text;
    },
    asked,
    connections: () => connections,
  };
}
