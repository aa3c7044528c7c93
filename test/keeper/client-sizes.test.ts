import assert from 'node:assert/strict';
import {mock, test} from 'node:test';
import {createClientSizes} from '../../source/keeper/client-sizes.ts';
import {eventually} from '../support/eventually.ts';
import {meet} from './support/client.ts';
import {launchWithClient, release, startKeeperFixture} from './support/keeper-fixture.ts';

const large = {columns: 200, rows: 50};
const medium = {columns: 100, rows: 30};
const tiny = {columns: 38, rows: 11};

function createSizes(first = {columns: 120, rows: 40}): {
  readonly sizes: ReturnType<typeof createClientSizes<string>>;
  readonly applied: () => readonly string[];
} {
  const applied: string[] = [];
  const sizes = createClientSizes<string>({
    first,
    apply: ({columns, rows}) => applied.push(`${columns}x${rows}`),
  });
  return {sizes, applied: () => applied};
}

test('the client that asked last has the size; one that leaves hands it back to the one before', (t) => {
  mock.timers.enable({apis: ['setTimeout']});
  t.after(() => {
    mock.timers.reset();
  });
  const {sizes, applied} = createSizes();
  sizes.resize('attach', large);
  sizes.resize('pane', tiny);
  sizes.resize('attach', large);
  sizes.leave('pane');
  mock.timers.tick(10_000);
  assert.deepEqual(applied(), ['200x50', '38x11', '200x50']);
  sizes.resize('pane', medium);
  sizes.leave('pane');
  mock.timers.tick(10_000);
  assert.deepEqual(applied().slice(3), ['100x30', '200x50']);
});

test('a terminal that a tiny pane left behind becomes large when nobody looks; a sufficient one stays', (t) => {
  mock.timers.enable({apis: ['setTimeout']});
  t.after(() => {
    mock.timers.reset();
  });
  const {sizes, applied} = createSizes();
  sizes.resize('pane', tiny);
  sizes.leave('pane');
  mock.timers.tick(999);
  assert.deepEqual(applied(), ['38x11']);
  mock.timers.tick(1);
  assert.deepEqual(applied(), ['38x11', '120x40']);
  sizes.resize('pane', medium);
  sizes.leave('pane');
  mock.timers.tick(10_000);
  assert.deepEqual(applied(), ['38x11', '120x40', '100x30']);
  const small = createSizes(tiny);
  small.sizes.resize('pane', {columns: 200, rows: 10});
  small.sizes.leave('pane');
  mock.timers.tick(10_000);
  assert.deepEqual(small.applied(), ['200x10', '120x36']);
});

test('a client that comes back at once changes nothing twice, and one without a size has no say', (t) => {
  mock.timers.enable({apis: ['setTimeout']});
  t.after(() => {
    mock.timers.reset();
  });
  const {sizes, applied} = createSizes();
  sizes.resize('pane', tiny);
  sizes.leave('pane');
  mock.timers.tick(500);
  sizes.resize('pane again', tiny);
  sizes.leave('logs');
  mock.timers.tick(10_000);
  assert.deepEqual(applied(), ['38x11', '38x11']);
});

test('a program is told once of each real change, and of none when the size stays', async (t) => {
  const keeper = await startKeeperFixture(
    t,
    "trap 'stty size' WINCH; stty size; while :; do sleep 0.005; done",
  );
  const watcher = await launchWithClient(keeper);
  const changes = (): readonly string[] => watcher.output().toString().trim().split('\r\n');
  await eventually('the program runs', () => changes().at(-1) === '24 80');
  const [wide, small] = [await meet(keeper.launch), await meet(keeper.launch)];
  wide.ask({type: 'resize', columns: 150, rows: 44});
  await eventually('the size of the first', () => changes().at(-1) === '44 150');
  small.ask({type: 'resize', columns: 38, rows: 11});
  await eventually('the size of the second', () => changes().at(-1) === '11 38');
  small.ask({type: 'resize', columns: 38, rows: 11});
  await small.onMessage('resized');
  // Whoever claims it again gets it again.
  wide.ask({type: 'resize', columns: 150, rows: 44});
  await eventually('the first again', () => changes().length === 4);
  small.ask({type: 'resize', columns: 38, rows: 11});
  await eventually('the second again', () => changes().length === 5);
  wide.close();
  small.close();
  await eventually('a size for nobody', () => changes().length === 6);
  assert.deepEqual(changes(), ['24 80', '44 150', '11 38', '44 150', '11 38', '24 80']);
  watcher.ask({type: 'signal', name: 'SIGKILL'});
  await watcher.onMessage('exit');
  await release(keeper, watcher);
});
