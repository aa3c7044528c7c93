// How long a daemon takes until it answers when there is much to remember and much to take up
// again.
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {setTimeout as pass} from 'node:timers/promises';
import {connectDaemon, type DaemonConnection} from '../../source/client/index.ts';
import {readToken} from '../../source/cli/repo-paths.ts';
import {
  emptyState,
  type Event,
  evolve,
  isKnownEvent,
  type State,
  toEvent,
  toEventParts,
} from '../../source/domain/index.ts';
import {openJournal} from '../../source/journal/index.ts';
import {readWritten} from '../../test/e2e/loop/support/read-written.ts';
import {type LoopFixture, openStage} from '../../test/e2e/loop/support/loop-fixture.ts';
import {startDaemon} from '../../test/e2e/loop/support/start-daemon.ts';
import {end, isRunning} from '../../test/daemon/support/daemon-fixture.ts';
import {eventually} from '../../test/support/eventually.ts';
import {getTable, median, show} from './sessions/figures.ts';

const events = 100_000;
const sessions = 20;
const rounds = 5;

type Round = {
  readonly answers: number;
  readonly takenUp: number;
  readonly bare: number;
  readonly parsed: number;
};

export async function benchStart(): Promise<readonly string[]> {
  const fixture = openStage({
    tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
    acts: {t1: 'exec sh "$PRETEND/fail-once.sh"'},
  });
  try {
    await fixture.objective('--approve');
    fixture.run('accept', 'r1');
    await fixture.until(
      'it is over',
      (state) => state.live.length === 0 && fixture.eventsOf('worktree-removed').length === 2,
    );
    fixture.run('daemon', 'stop');
    const {runs, misfits} = await multiply(fixture);
    startDaemon(fixture, '');
    (await untilAnswered(fixture)).close();
    for (let count = 0; count < sessions; count++) await fixture.start('sleep', '100000');
    await fixture.until('all of them run', (state) => runningIn(state) === sessions);
    const found: Round[] = [];
    for (let round = 0; round < rounds; round++) found.push(await measure(fixture));
    const of = (key: keyof Round): number => median(found.map((one) => one[key]));
    return [
      `${readWritten(fixture).events.length} events of ${runs} runs that were played (${misfits} of them misfits), ${sessions} live sessions, ${rounds} rounds; load ${execFileSync('cat', ['/proc/loadavg'], {encoding: 'utf8'}).split(' ')[0] ?? ''}.`,
      '',
      ...getTable(
        [
          'a start of the daemon after kill -9, until',
          'ms',
          'times a bare `node -e 0`',
          "times node that only parses the journal's lines",
        ],
        [
          ['bare `node -e 0` ends', show(of('bare')), '1.00', '–'],
          [
            'node has read the same journal, JSON.parse for each line',
            show(of('parsed')),
            show(of('parsed') / of('bare')),
            '1.00',
          ],
          [
            'it answers a client',
            show(of('answers')),
            show(of('answers') / of('bare')),
            show(of('answers') / of('parsed')),
          ],
          [
            'all sessions are taken up: each is told to live by its keeper and the kernel',
            show(of('takenUp')),
            show(of('takenUp') / of('bare')),
            show(of('takenUp') / of('parsed')),
          ],
        ],
      ),
      '',
    ];
  } finally {
    await fixture.close();
  }
}

/**
 * What one real run left in the journal, once more under other names, until there is enough of it.
 */
async function multiply(
  fixture: LoopFixture,
): Promise<{readonly runs: number; readonly misfits: number}> {
  const result = readWritten(fixture).events.filter(
    ({type}) => !type.startsWith('daemon-') && type !== 'project-read',
  );
  const perRun = result.filter(({type}) => type === 'session-asked').length;
  let state: State = emptyState;
  const journal = await openJournal({
    directory: fixture.current().stateDirectory,
    boot: 'bench',
    knows: isKnownEvent,
    clock: {wall: Date.now, mono: () => process.hrtime.bigint()},
    replay: (entry) => {
      state = evolve(state, toEvent(entry));
    },
    report: () => undefined,
  });
  let run = 1;
  while (state.seq < events) {
    run += 1;
    for (const entry of await journal.append(
      result.map((event) => toEventParts(renamed(event, run, perRun))),
    ))
      state = evolve(state, toEvent(entry));
  }

  await journal.close();
  return {runs: run, misfits: state.misfits.length};
}

function renamed(event: Event, run: number, perRun: number): Event {
  const text = JSON.stringify(event)
    .replaceAll(/\br1\b/g, `r${run}`)
    .replaceAll(/\bs(\d+)\b/g, (_found, count: string) => `s${Number(count) + perRun * (run - 1)}`);
  return JSON.parse(text) as Event;
}

async function measure(fixture: LoopFixture): Promise<Round> {
  const old = await fixture.daemonPid();
  if (old !== undefined) {
    end(old, fixture.home);
    await eventually('it is gone', () => !isRunning(old));
  }

  const journal = path.join(fixture.current().stateDirectory, 'journal.jsonl');
  const bare = timed(['-e', '0']);
  const parsed = timed([
    '-e',
    'let sum = 0; for (const line of require("node:fs").readFileSync(process.argv[1], "utf8").split("\\n")) if (line !== "") sum += JSON.parse(line.slice(0, line.lastIndexOf("\\t"))).seq',
    journal,
  ]);
  const begun = performance.now();
  startDaemon(fixture, '');
  const daemon = await untilAnswered(fixture);
  try {
    await daemon.ask({about: 'daemon'});
    const answers = performance.now() - begun;
    for (;;) {
      const {sessions: all} = (await daemon.ask({about: 'sessions'})) as {
        readonly sessions: readonly {readonly status: string}[];
      };
      if (all.filter(({status}) => status === 'running').length === sessions)
        return {answers, takenUp: performance.now() - begun, bare, parsed};
      await pass(5);
    }
  } finally {
    daemon.close();
  }
}

function timed(argv: readonly string[]): number {
  const begun = performance.now();
  execFileSync(process.execPath, argv);
  return performance.now() - begun;
}

async function untilAnswered(fixture: LoopFixture): Promise<DaemonConnection> {
  const {socket} = fixture.current();
  for (;;) {
    const daemon = await connectDaemon({
      socket,
      token: () => readToken(fixture.current()),
      build: 'bench',
    }).catch(() => undefined);
    if (daemon !== undefined) return daemon;
    await pass(2);
  }
}

function runningIn(state: State): number {
  return state.sessions.pages.flat().filter(({life}) => life.at === 'running').length;
}
