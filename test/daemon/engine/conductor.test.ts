import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {
  type Conductor,
  createConductor,
  type EffectHandler,
} from '../../../source/daemon/engine/conductor.ts';
import {
  emptyState,
  type Event,
  isKnownEvent,
  selectNeeds,
  wanted,
} from '../../../source/domain/index.ts';
import {openJournal} from '../../../source/journal/index.ts';
import {request} from '../../domain/support/samples.ts';
import {makeDirectory} from '../../journal/support/journal-fixture.ts';
import {eventually} from '../../support/eventually.ts';

type Notified = {
  readonly conductor: Conductor;
  readonly pauses: number[];
  readonly events: Event[];
};

/**
 * A conductor over a real journal whose performer does that, and whose pauses are counted and not
 * waited for.
 */
async function conducting(t: TestContext, perform: EffectHandler): Promise<Notified> {
  const journal = await openJournal({
    directory: makeDirectory(t),
    clock: {wall: () => 1, mono: () => 1n},
    boot: 'test',
    knows: isKnownEvent,
    replay: () => undefined,
    report: () => undefined,
  });
  const [pauses, events]: [number[], Event[]] = [[], []];
  const conductor = createConductor({
    state: emptyState,
    journal,
    now: () => 1,
    perform,
    onEvents: (_seq, event) => {
      events.push(event);
    },
    pause: (failures) => {
      pauses.push(failures);
      return new Promise((resolve) => {
        setImmediate(resolve);
      });
    },
  });
  t.after(async () => {
    await conductor.close();
    await journal.close();
  });
  await conductor.submit({
    type: 'start-run',
    request,
    budget: {},
    at: 1,
    by: {kind: 'person', client: 'ada'},
  });
  return {conductor, pauses, events};
}

test('a performer that comes back without a word is begun again with pauses that grow, and after five times a person is asked', async (t) => {
  let begun = 0;
  const {conductor, pauses} = await conducting(t, () => {
    begun += 1;
    return Promise.resolve();
  });
  conductor.begin();
  await eventually(
    'the person is asked',
    () => selectNeeds(conductor.state()).some(({kind}) => kind === 'trouble') || undefined,
  );
  assert.deepEqual([begun, pauses], [5, [1, 2, 3, 4]]);
  assert.deepEqual(wanted(conductor.state()), []);
});

test('a performer whose report is refused every time ends the same way', async (t) => {
  let begun = 0;
  const {conductor} = await conducting(t, async (_effect, report) => {
    begun += 1;
    await report({type: 'plan-invalid', run: 'r1', round: 1, problems: []});
  });
  conductor.begin();
  await eventually(
    'the person is asked',
    () => selectNeeds(conductor.state()).some(({kind}) => kind === 'trouble') || undefined,
  );
  assert.equal(begun, 5);
});

test('what fails once is told at once', async (t) => {
  const {conductor, pauses} = await conducting(t, () =>
    Promise.reject(new Error('no commits yet')),
  );
  conductor.begin();
  await eventually(
    'the person is asked',
    () => selectNeeds(conductor.state()).some(({kind}) => kind === 'trouble') || undefined,
  );
  assert.deepEqual(pauses, []);
});

test('a process that cannot be ended is tried five times before a person is told, once, and then further', async (t) => {
  let stops = 0;
  const {conductor, events} = await conducting(t, (effect, report, signal) => {
    if (effect.do === 'survey')
      return report({type: 'effect-failed', words: 'never mind'}).then(() => undefined);
    if (effect.do !== 'stop-session')
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    stops += 1;
    return Promise.reject(new Error('2 processes could not be stopped'));
  });
  conductor.begin();
  const by = {kind: 'person', client: 'ada'} as const;
  await conductor.submit({
    type: 'start-session',
    name: 'x',
    command: ['x'],
    directory: '/',
    at: 1,
    by,
  });
  await conductor.submit({type: 'stop', what: 's1', at: 1, by});
  await eventually('it was tried many times', () => stops >= 20 || undefined);
  assert.equal(events.filter(({type}) => type === 'session-unstoppable').length, 1);
  assert.ok(selectNeeds(conductor.state()).some(({kind}) => kind === 'unstoppable'));
});
