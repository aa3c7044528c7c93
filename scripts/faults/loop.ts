import {pointsOfRun} from '../../test/daemon/loop/support/points.ts';
import {invariants, type Invariant} from '../../test/daemon/loop/support/invariants.ts';
import {killOften, type Kill} from '../../test/daemon/loop/support/kill-often.ts';
import {playUsually} from '../../test/daemon/loop/support/play-usually.ts';
import type {Watched} from '../../test/daemon/loop/support/play-watched.ts';
import {openSixTasks} from '../../test/daemon/loop/support/six-tasks.ts';
import {sweepPoints} from '../../test/daemon/loop/support/sweep-points.ts';
import type {Place} from '../../test/daemon/support/place.ts';
import {tableOf} from '../bench/sessions/figures.ts';
import type {Report} from './campaign/report.ts';

/**
 * kill -9 of the daemon over runs of six tasks with services: at every named point of every effect, at random moments, and
 * again while the next one recovers. ORCHESTRA_KILLS says how many at random, ORCHESTRA_NESTED how many during recovery, and
 * ORCHESTRA_KILLS_PER_RUN how many one run has to bear. With ORCHESTRA_SANDBOX=required all of it happens in the sandbox.
 */
export async function tryLoop(_place: Place, report: Report): Promise<void> {
  const told = (words: string): void => void process.stderr.write(`${words}\n`);
  const wish = (name: string, usual: number): number => Number(process.env[name] ?? usual);
  const usual = await playUsually(openSixTasks);
  if (process.env['ORCHESTRA_POINTS'] !== 'off') {
    const named = await sweepPoints(openSixTasks, pointsOfRun, usual, told);
    const isKept = brokenIn(named.runs) === 0;
    report(
      'a run of six tasks goes on as if nothing had happened when the daemon is killed at a named point',
      pointsOfRun.length,
      isKept ? named.killed.length : 0,
      [
        `${named.runs.length} runs`,
        ...named.neverMet.map((point) => `${point} was never met`),
      ].join('; '),
    );
  }

  const {runs, random, nested} = await killOften(openSixTasks, usual, {
    random: wish('ORCHESTRA_KILLS', 1000),
    nested: wish('ORCHESTRA_NESTED', 200),
    most: wish('ORCHESTRA_KILLS_PER_RUN', 40),
    chance: Math.random,
    told,
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
  return tableOf(
    ['killed when', 'at random', 'during recovery'],
    rows.map(([words, is]) => [
      words,
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
  return tableOf(
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
  return tableOf(
    ['invariant', 'looked at', 'broken'],
    (Object.keys(invariants) as Invariant[]).map((name) => [
      `${name}: ${invariants[name]}`,
      String(runs.reduce((sum, {looked}) => sum + looked[name], 0)),
      String(runs.flatMap(({broken}) => broken).filter(({invariant}) => invariant === name).length),
    ]),
  );
}
