// How fast the pure core folds a history, and whether that stays linear; the peer is JSON.parse of
// the same history.
import {emptyState, type Event, evolve, wanted} from '../../source/domain/index.ts';
import {createHarness} from '../../test/domain/support/harness.ts';
import {createSimulatedUser} from '../../test/domain/support/simulated-user.ts';
import {sendChecked, settle} from '../../test/domain/support/simulation.ts';
import {request} from '../../test/domain/support/samples.ts';
import {createEffectSimulator} from '../../test/domain/support/simulated-effects.ts';

export function benchCore(): string {
  const history = getHistory(100_000);
  const rows = [25_000, 50_000, 100_000].map((count) => {
    const events = history.slice(0, count);
    const text = events.map((event) => JSON.stringify(event));
    const parse = getTime(() => text.map((line) => JSON.parse(line) as unknown));
    const fold = getTime(() => events.reduce(evolve, emptyState));
    const state = events.reduce(evolve, emptyState);
    const ask = getTime(() => wanted(state));
    return {count, parse, fold, ask};
  });
  const perEvent = rows.map(({count, fold}) => fold / count);
  return [
    '| events | fold (ms) | ratio to `JSON.parse` of them | wanted (ms) |',
    '|---|---|---|---|',
    ...rows.map(
      ({count, parse, fold, ask}) =>
        `| ${count} | ${fold.toFixed(0)} | ${(fold / parse).toFixed(2)} | ${ask.toFixed(2)} |`,
    ),
    '',
    `time per event, 100,000 against 25,000: ${(perEvent[2]! / perEvent[0]!).toFixed(2)} (1.00 is linear)`,
    '',
  ].join('\n');
}

/** Completes run after run in one state, as in a repository that is used for years. */
function getHistory(count: number): Event[] {
  const harness = createHarness();
  sendChecked(harness, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start'},
    at: 1,
    by: {kind: 'person', client: 'ada'},
  });
  for (let run = 1; harness.events.length < count; run++) {
    sendChecked(harness, {
      type: 'start-run',
      request,
      budget: {},
      at: ++harness.time,
      by: {kind: 'person', client: 'ada'},
    });
    settle(
      harness,
      createEffectSimulator(`bench-${run}`, 0.3),
      createSimulatedUser(`bench-${run}`),
    );
  }

  return harness.events.slice(0, count);
}

function getTime(act: () => unknown): number {
  const times = Array.from({length: 3}, () => {
    const start = performance.now();
    act();
    return performance.now() - start;
  });
  return Math.min(...times);
}
