import {pointsOfRun} from '../../test/e2e/loop/support/points.ts';
import {type Invariant, invariants} from '../../test/e2e/loop/support/invariants.ts';
import {type Kill, killOften} from '../../test/e2e/loop/support/kill-often.ts';
import {runWithoutFaults} from '../../test/e2e/loop/support/run-without-faults.ts';
import type {Watched} from '../../test/e2e/loop/support/run-watched.ts';
import {openSixTasks} from '../../test/e2e/loop/support/six-tasks.ts';
import {sweepPoints} from '../../test/e2e/loop/support/sweep-points.ts';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {getTable} from '../bench/sessions/figures.ts';
import type {Report} from './campaign/report.ts';

/**
 * kill -9 of the daemon in runs of six tasks with services: at every named point of every effect,
 * at random times, and again during recovery. ORCHESTRA_KILLS sets the number of random kills,
 * ORCHESTRA_NESTED those during recovery, and ORCHESTRA_KILLS_PER_RUN the limit per run.
 * ORCHESTRA_SANDBOX=required runs all of it in the sandbox.
 */
export async function tryLoop(_fixture: DaemonFixture, report: Report): Promise<void> {
  const onProgress = (text: string): void => void process.stderr.write(`${text}\n`);
  const readSetting = (name: string, usual: number): number => Number(process.env[name] ?? usual);
  const usual = await runWithoutFaults(openSixTasks);
  if (process.env['ORCHESTRA_POINTS'] !== 'off') {
    const named = await sweepPoints(openSixTasks, pointsOfRun, usual, onProgress);
    const isWhole = brokenIn(named.runs) === 0;
    report(
      'a run of six tasks goes on as if nothing had happened when the daemon is killed at a named point',
      pointsOfRun.length,
      isWhole ? named.killed.length : 0,
      [
        `${named.runs.length} runs`,
        ...named.neverMet.map((point) => `${point} was never met`),
      ].join('; '),
    );
  }

  const {runs, random, nested} = await killOften(openSixTasks, usual, {
    random: readSetting('ORCHESTRA_KILLS', 1000),
    nested: readSetting('ORCHESTRA_NESTED', 200),
    max: readSetting('ORCHESTRA_KILLS_PER_RUN', 40),
    chance: Math.random,
    notified: onProgress,
  });
  const whole = runs.filter(({broken}) => broken.length === 0).length;
  process.stdout.write(
    `${[...killTable(random, nested), '', ...resultTable(runs), '', ...invariantTable(runs)].join('\n')}\n`,
  );
  report(
    'the same at random moments',
    random.length,
    brokenIn(runs) === 0 ? random.length : 0,
    `${runs.length} runs, ${whole} of them whole`,
  );
  report(
    'the same while it recovers from the kill before',
    nested.length,
    brokenIn(runs) === 0 ? nested.length : 0,
  );
}

function brokenIn(runs: readonly Watched[]): number {
  return runs.reduce((sum, {broken}) => sum + broken.length, 0);
}

function killTable(random: readonly Kill[], nested: readonly Kill[]): readonly string[] {
  const rows: readonly (readonly [string, (kill: Kill) => boolean])[] = [
    ['all', () => true],
    ...(['replaying', 'recovering', 'working'] as const).map(
      (phase) => [`the daemon was ${phase}`, (kill: Kill) => kill.phase === phase] as const,
    ),
    ...[...new Set([...random, ...nested].map(({stage}) => stage))].map(
      (stage) => [`the run was ${stage}`, (kill: Kill) => kill.stage === stage] as const,
    ),
    ...[...new Set([...random, ...nested].flatMap(({inFlight}) => inFlight))]
      .toSorted()
      .map(
        (kind) =>
          [`in the middle of ${kind}`, (kill: Kill) => kill.inFlight.includes(kind)] as const,
      ),
  ];
  return getTable(
    ['killed when', 'at random', 'during recovery'],
    rows.map(([text, is]) => [
      text,
      String(random.filter(is).length),
      String(nested.filter(is).length),
    ]),
  );
}

function resultTable(runs: readonly Watched[]): readonly string[] {
  const count = (...names: readonly (Invariant | 'end')[]): string =>
    String(
      runs.flatMap(({broken}) => broken).filter(({invariant}) => names.includes(invariant)).length,
    );
  const sum = (of: (run: Watched) => number): string =>
    String(runs.reduce((total, run) => total + of(run), 0));
  return getTable(
    ['what came of it', 'count'],
    [
      ['runs', String(runs.length)],
      [
        'runs that came to their end',
        String(
          runs.filter(({broken}) => !broken.some(({invariant}) => invariant === 'end')).length,
        ),
      ],
      ['set aside by the law of three crashes, resumed, and gone on', sum(({parked}) => parked)],
      ['killed once more at rest', sum(({killedAtRest}) => killedAtRest)],
      ['lost', count('I2', 'I6', 'end')],
      ['duplicated', count('I1')],
      ['orphans', count('I3', 'I4')],
    ],
  );
}

function invariantTable(runs: readonly Watched[]): readonly string[] {
  return getTable(
    ['invariant', 'looked at', 'broken'],
    (Object.keys(invariants) as Invariant[]).map((name) => [
      `${name}: ${invariants[name]}`,
      String(runs.reduce((sum, {looked}) => sum + looked[name], 0)),
      String(runs.flatMap(({broken}) => broken).filter(({invariant}) => invariant === name).length),
    ]),
  );
}
