import {Profiler} from 'react';
import type {State} from '../../../source/domain/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {createApp} from '../../../source/app/runtime/create-app.ts';
import {defineApp} from '../../../source/app/runtime/run-app.tsx';
import {repository} from '../screens/fixtures.ts';
import {type Clock, createClock} from './clock.ts';
import {createDevice, type Device} from './device.ts';
import {createDaemon} from './small-app.tsx';
import {createSources, settle, type Sources} from './sources.ts';

/** The whole app in its loop, on a device and a clock of its own. */
export type WholeApp = {
  readonly device: Device;
  readonly clock: Clock;
  readonly sources: Sources;
  /** How often React has committed. */
  readonly commits: () => number;
  /** Presses keys, and lets the frame follow that answers them. */
  readonly press: (keys: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts it with this state, and waits until it is connected and has drawn. */
export async function startWholeApp(
  state: State,
  now: number,
  size: Size = {columns: 120, rows: 35},
): Promise<WholeApp> {
  const device = createDevice(size);
  const clock = createClock();
  // At the beginning of a step of the clock that the screens show.
  clock.pass(Math.ceil(now / 10_000) * 10_000 - clock.now());
  const sources = createSources();
  const env = {TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8'};
  const app = defineApp({size, repository, uiState: undefined, env});
  let commits = 0;
  const root = (
    <Profiler
      id="app"
      onRender={() => {
        commits++;
      }}
    >
      {app.root}
    </Profiler>
  );
  const finished = createApp(
    {...app, root},
    {
      connect: createDaemon(state).connect,
      openPane: sources.openPane,
      terminal: device.terminal,
      handOver: () => Promise.resolve(),
      edit: (text) => Promise.resolve(text),
      env,
      now: clock.now,
      after: clock.after,
      uiState: {read: () => undefined, write: () => undefined},
      onSignal: device.onSignal,
    },
  ).run();
  finished.catch(() => undefined);
  const follow = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) {
      await settle();
      clock.pass(40);
    }

    await settle();
  };

  await follow();
  return {
    device,
    clock,
    sources,
    commits: () => commits,
    async press(keys) {
      device.press(keys);
      await follow();
    },
    async close() {
      device.signal('SIGTERM');
      await finished;
    },
  };
}
