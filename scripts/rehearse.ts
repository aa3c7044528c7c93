// The rehearsal: the loop of one run on the real core and a real journal, with a scripted world
// instead of git and agents,
// and with a daemon that is lost in the middle. `npm run demo` shows it.
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {
  type Command,
  decide,
  emptyState,
  evolve,
  isKnownEvent,
  type State,
  toEvent,
  toEventParts,
  wanted,
} from '../source/domain/index.ts';
import {describeEvent} from '../source/reports/index.ts';
import {type Journal, openJournal} from '../source/journal/index.ts';
import {createSimulatedUser, nextCommand} from '../test/domain/support/simulated-user.ts';
import {request} from '../test/domain/support/samples.ts';
import {createEffectSimulator, simulateEffect} from '../test/domain/support/simulated-effects.ts';

const seed = process.argv[2] ?? 'rehearsal-9';
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-rehearsal-'));
const simulator = createEffectSimulator(seed, 0.35);
const person = createSimulatedUser(seed);
const start = Date.now();
let time = start;

print(`A rehearsal: the core decides and the journal is real (${directory});`);
print('git, agents and checks are played by a script, and so is the person.\n');
try {
  let harness = await open();
  await notify(harness, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start', port: 3000},
    at: time,
    by: {kind: 'person', client: 'you'},
  });
  await notify(harness, {
    type: 'start-run',
    request: {...request, worker: 'script', planner: 'script'},
    budget: {},
    at: time,
    by: {kind: 'person', client: 'you'},
  });
  const loseAt = 60;
  let isGone = false;
  for (let steps = 0; await step(harness); steps++) {
    if (isGone || harness.state.seq < loseAt) continue;
    isGone = true;
    const {seq} = harness.state;
    await harness.journal.close();
    harness = await open();
    print(`\n  ── the daemon is killed; a new one reads ${seq} events and goes on ──\n`);
    await notify(harness, {
      type: 'report',
      at: time,
      saw: {type: 'daemon-started', build: 'rehearsal'},
    });
  }

  const lines = readFileSync(path.join(directory, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n').length;
  await harness.journal.close();
  const repeated = [...simulator.acts.values()].filter((acts) => acts > 1).length;
  print(
    `\n${lines} events in the journal, ${simulator.acts.size} effects in the world, ${repeated} of them done twice.`,
  );
  print(
    'Another story: npm run rehearse -- any-words. The law behind it: source/domain, test/domain.',
  );
} finally {
  rmSync(directory, {recursive: true, force: true});
}

type Harness = {state: State; readonly journal: Journal};

async function open(): Promise<Harness> {
  let state = emptyState;
  const journal = await openJournal({
    directory,
    boot: 'rehearsal',
    knows: isKnownEvent,
    report: () => undefined,
    clock: {wall: () => time, mono: () => process.hrtime.bigint()},
    replay: (entry) => {
      state = evolve(state, toEvent(entry));
    },
  });
  return {state, journal};
}

/** Journal first, then state: the order that makes a kill at any moment harmless. */
async function notify(harness: Harness, command: Command): Promise<void> {
  const {events, refused} = decide(harness.state, command);
  if (refused !== undefined) throw new Error(`refused: ${refused}`);
  await harness.journal.append(events.map(toEventParts), command.at);
  for (const event of events) {
    harness.state = evolve(harness.state, event);
    print(`  ${String(event.at - start).padStart(6)} ms  ${describeEvent(event)}`);
  }
}

/** The world does one wanted thing, or the person answers what waits for them. */
async function step(harness: Harness): Promise<boolean> {
  const effects = wanted(harness.state).toSorted(
    (a, b) => Number(a.do === 'wait') - Number(b.do === 'wait'),
  );
  for (const effect of effects) {
    const sight = simulateEffect(simulator, harness.state, effect);
    if (sight === undefined) continue;
    time = effect.do === 'wait' ? Math.max(time + 7, effect.until) : time + 7;
    await notify(harness, {
      type: 'report',
      at: time,
      saw: sight.saw,
      ...(sight.isNamed ? {effect: effect.key} : {}),
    });
    return true;
  }

  const command = nextCommand(person, harness.state);
  if (command === undefined) return false;
  time += 400;
  print(`  you: ${command.type}`);
  await notify(harness, {...command, at: time, by: {kind: 'person', client: 'you'}});
  return true;
}
