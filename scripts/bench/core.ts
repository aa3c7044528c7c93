// How fast the pure core folds a history, and whether that stays linear; the peer is JSON.parse of the same history.
import {emptyState, evolve, wanted, type Event} from '../../source/domain/index.ts';
import {createHouse} from '../../test/domain/support/house.ts';
import {createPerson} from '../../test/domain/support/person.ts';
import {settle, tell} from '../../test/domain/support/play.ts';
import {request} from '../../test/domain/support/samples.ts';
import {createWorld} from '../../test/domain/support/world.ts';

export function benchCore(): string {
  const history = historyOf(100_000);
  const rows = [25_000, 50_000, 100_000].map((count) => {
    const events = history.slice(0, count);
    const text = events.map((event) => JSON.stringify(event));
    const parse = timeOf(() => text.map((line) => JSON.parse(line) as unknown));
    const fold = timeOf(() => events.reduce(evolve, emptyState));
    const state = events.reduce(evolve, emptyState);
    const ask = timeOf(() => wanted(state));
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

/** Run after run in one house, each to its end, as in a repository that is worked in for years. */
function historyOf(count: number): Event[] {
  const house = createHouse();
  tell(house, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start'},
    at: 1,
    by: {kind: 'person', client: 'ada'},
  });
  for (let run = 1; house.events.length < count; run++) {
    tell(house, {
      type: 'start-run',
      request,
      budget: {},
      at: ++house.time,
      by: {kind: 'person', client: 'ada'},
    });
    settle(house, createWorld(`bench-${run}`, 0.3), createPerson(`bench-${run}`));
  }

  return house.events.slice(0, count);
}

function timeOf(act: () => unknown): number {
  const times = Array.from({length: 3}, () => {
    const start = performance.now();
    act();
    return performance.now() - start;
  });
  return Math.min(...times);
}
