import {readdirSync, readlinkSync} from 'node:fs';
import {
  type DaemonFixture,
  isRunning,
  processesIn,
} from '../../../test/daemon/support/daemon-fixture.ts';
import type {DaemonConnection} from '../../../source/client/index.ts';
import type {Event} from '../../../source/domain/index.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const exits = 1000;
const atOnce = 6;
/** Sessions before the first measurement, so that lazy loading is done. */
const warmUp = 100;
const stops = 100;
const size = 20_000;

/** Resources in use: the daemon's descriptors, socket files, and processes with their terminals. */
type Holdings = {
  readonly descriptors: number;
  readonly sockets: number;
  readonly processes: number;
  readonly terminals: number;
};

/** Programs that write 20 kB and exit at once, and the resources that so many sessions leave. */
export async function tryExits(fixture: DaemonFixture, report: Report): Promise<void> {
  await fixture.ask({about: 'daemon'});
  const pid = (await fixture.daemonPid())!;
  const holdings = (): Holdings => ({
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    sockets: readdirSync(fixture.current().runtimeDirectory).filter((name) =>
      name.endsWith('.sock'),
    ).length,
    processes: processesIn(fixture.home).filter(isRunning).length,
    terminals: processesIn(fixture.home).reduce((sum, one) => sum + getTerminals(one), 0),
  });
  const settled = async (): Promise<Holdings> => {
    await eventually('every keeper is gone', () => holdings().processes === 1, 60_000).catch(
      () => undefined,
    );
    return holdings();
  };

  const ends = new Map<string, Extract<Event, {type: 'session-exited' | 'session-lost'}>>();
  const follower = await fixture.connect(({event}) => {
    if (event.type === 'session-exited' || event.type === 'session-lost')
      ends.set(event.session, event);
  });
  const {seq} = follower.welcome;
  await follower.ask({about: 'events', from: seq});
  const script = `i=0; head -c ${size - 5} /dev/zero | tr '\\0' x; printf ' end.'; exit 3`;
  let truncated = 0;
  let wrong = 0;
  const one = async (): Promise<void> => {
    const session = await startOn(follower, fixture, script);
    const exit = await eventually(`${session} has ended`, () => ends.get(session), 60_000);
    const output = fixture.outputOf(session);
    if (output.length !== size || !output.endsWith('x end.')) truncated += 1;
    if (exit.type !== 'session-exited' || exit.code !== 3) wrong += 1;
  };

  const many = async (count: number, act: () => Promise<void>): Promise<void> => {
    let left = count;
    await Promise.all(
      Array.from({length: atOnce}, async () => {
        while (left-- > 0) await act();
      }),
    );
  };

  await many(warmUp, one);
  const before = await settled();
  await many(exits - warmUp, one);
  report(
    `the last word of a program that writes ${size / 1000} kB and ends is kept`,
    exits,
    exits - truncated,
  );
  report('its exit status is right', exits, exits - wrong);
  await many(stops, async () => {
    const session = await startOn(follower, fixture, 'sleep 1000');
    await follower.ask({about: 'wish', wish: {type: 'stop', what: session as 's1'}});
    await eventually(`${session} is stopped`, () => ends.get(session), 60_000);
  });
  const after = await settled();
  follower.close();
  for (const what of ['descriptors', 'terminals', 'sockets', 'processes'] as const) {
    const isFlat = after[what] <= before[what] + (what === 'descriptors' ? 2 : 0);
    report(
      `${what} stay as they were over ${exits - warmUp + stops} sessions`,
      1,
      isFlat ? 1 : 0,
      `${before[what]} before, ${after[what]} after`,
    );
  }
}

async function startOn(
  daemon: DaemonConnection,
  fixture: DaemonFixture,
  script: string,
): Promise<string> {
  const command = {
    type: 'start-session',
    name: 'fault',
    command: ['sh', '-c', script],
    directory: fixture.root,
  } as const;
  const {events} = (await daemon.ask({about: 'wish', wish: command, env: fixture.env})) as {
    readonly events: readonly Event[];
  };
  return events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : []))[0]!;
}

function getTerminals(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).filter((fd) =>
      /^\/dev\/(ptmx|pts\/)/.test(readlinkSync(`/proc/${pid}/fd/${fd}`)),
    ).length;
  } catch {
    return 0;
  }
}
