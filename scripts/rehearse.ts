// The rehearsal: the loop of one run on the real core and a real journal, with a scripted world instead of git and agents,
// and with a daemon that is lost in the middle. `npm run demo` shows it.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  decide,
  emptyState,
  eventOf,
  evolve,
  isKnownEvent,
  partsOf,
  wanted,
  type Command,
  type State,
} from '../source/domain/index.ts';
import {describeEvent} from '../source/documents/index.ts';
import {openJournal, type Journal} from '../source/journal/index.ts';
import {createPerson, nextWish} from '../test/domain/support/person.ts';
import {request} from '../test/domain/support/samples.ts';
import {createWorld, perform} from '../test/domain/support/world.ts';

const seed = process.argv[2] ?? 'rehearsal-9';
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-rehearsal-'));
const world = createWorld(seed, 0.35);
const person = createPerson(seed);
const start = Date.now();
let time = start;

say(`A rehearsal: the core decides and the journal is real (${directory});`);
say('git, agents and checks are played by a script, and so is the person.\n');
try {
  let house = await open();
  await tell(house, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start', port: 3000},
    at: time,
    by: {kind: 'person', client: 'you'},
  });
  await tell(house, {
    type: 'start-run',
    request: {...request, worker: 'script', planner: 'script'},
    budget: {},
    at: time,
    by: {kind: 'person', client: 'you'},
  });
  const loseAt = 60;
  let isLost = false;
  for (let steps = 0; await step(house); steps++) {
    if (isLost || house.state.seq < loseAt) continue;
    isLost = true;
    const {seq} = house.state;
    await house.journal.close();
    house = await open();
    say(`\n  ── the daemon is killed; a new one reads ${seq} events and goes on ──\n`);
    await tell(house, {
      type: 'report',
      at: time,
      saw: {type: 'daemon-started', build: 'rehearsal'},
    });
  }

  const lines = readFileSync(path.join(directory, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n').length;
  await house.journal.close();
  const repeated = [...world.acts.values()].filter((acts) => acts > 1).length;
  say(
    `\n${lines} events in the journal, ${world.acts.size} effects in the world, ${repeated} of them done twice.`,
  );
  say(
    'Another story: npm run rehearse -- any-words. The law behind it: source/domain, test/domain.',
  );
} finally {
  rmSync(directory, {recursive: true, force: true});
}

type House = {state: State; readonly journal: Journal};

async function open(): Promise<House> {
  let state = emptyState;
  const journal = await openJournal({
    directory,
    boot: 'rehearsal',
    knows: isKnownEvent,
    report: () => undefined,
    clock: {wall: () => time, mono: () => process.hrtime.bigint()},
    replay: (entry) => {
      state = evolve(state, eventOf(entry));
    },
  });
  return {state, journal};
}

/** Journal first, then state: the order that makes a kill at any moment harmless. */
async function tell(house: House, command: Command): Promise<void> {
  const {events, refused} = decide(house.state, command);
  if (refused !== undefined) throw new Error(`refused: ${refused}`);
  await house.journal.append(events.map(partsOf), command.at);
  for (const event of events) {
    house.state = evolve(house.state, event);
    say(`  ${String(event.at - start).padStart(6)} ms  ${describeEvent(event)}`);
  }
}

/** The world does one wanted thing, or the person answers what waits for them. */
async function step(house: House): Promise<boolean> {
  const effects = wanted(house.state).toSorted(
    (a, b) => Number(a.do === 'wait') - Number(b.do === 'wait'),
  );
  for (const effect of effects) {
    const sight = perform(world, house.state, effect);
    if (sight === undefined) continue;
    time = effect.do === 'wait' ? Math.max(time + 7, effect.until) : time + 7;
    await tell(house, {
      type: 'report',
      at: time,
      saw: sight.saw,
      ...(sight.isNamed ? {effect: effect.key} : {}),
    });
    return true;
  }

  const wish = nextWish(person, house.state);
  if (wish === undefined) return false;
  time += 400;
  say(`  you: ${wish.type}`);
  await tell(house, {...wish, at: time, by: {kind: 'person', client: 'you'}});
  return true;
}
