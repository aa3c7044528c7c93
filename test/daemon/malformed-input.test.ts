import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {crc32} from 'node:zlib';
import {readToken} from '../../source/cli/repo-paths.ts';
import {eventTypes, findMalformation} from '../../source/domain/index.ts';
import {encodeFrame} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {createRandom, type Random} from '../support/random.ts';
import {createDaemonFixture, type DaemonFixture} from './support/daemon-fixture.ts';
import {openWire} from './support/wire.ts';

/** Lines with sound checksums, as a daemon of an older version would have left them. */
function writeJournal(
  fixture: DaemonFixture,
  events: readonly (readonly [type: string, data: object])[],
): void {
  const {stateDirectory} = fixture.current();
  mkdirSync(stateDirectory, {recursive: true, mode: 0o700});
  let prev = '00000000';
  const lines = events.map(([type, data], index) => {
    const body = JSON.stringify({
      v: 1,
      seq: index + 1,
      prev,
      at: 1_700_000_000_000 + index,
      mono: '1',
      boot: 'b',
      type,
      data,
    });
    prev = crc32(body).toString(16).padStart(8, '0');
    return `${body}\t${prev}\n`;
  });
  writeFileSync(path.join(stateDirectory, 'journal.jsonl'), lines.join(''), {mode: 0o600});
}

/** Every command that only asks is answered; 3 says that something waits for a person. */
function checkAnswers(fixture: DaemonFixture): void {
  for (const command of [
    ['status'],
    ['needs'],
    ['sessions'],
    ['services'],
    ['brief'],
    ['timeline', '--all'],
    ['facts'],
    ['queue', 'list'],
    ['audit'],
    ['daemon', 'status'],
    ['gc', '--dry-run'],
    ['skills'],
  ]) {
    const {code, err} = fixture.run(
      ...command,
      ...(['daemon', 'gc'].includes(command[0]!) ? [] : ['--json']),
    );
    assert.ok(
      code === 0 || code === 3,
      `${command.join(' ')} ended with ${code ?? 'a signal'}: ${err}`,
    );
    assert.doesNotMatch(err, /TypeError|\n {4}at /, command.join(' '));
  }
}

test('a journal full of nonsense from an older version: the daemon starts, and every question is answered', async (t) => {
  const fixture = createDaemonFixture(t);
  const request = {objective: 'x', worker: 'playbook', planner: 'playbook', queued: true};
  const junk = eventTypes.flatMap((type): (readonly [string, object])[] => [
    [type, {}],
    [
      type,
      {
        run: 'r1',
        task: 'r1.t1',
        session: 's1',
        owner: 'r1',
        spec: {},
        plan: {},
        change: {},
        project: {},
        request: null,
        purpose: {},
        why: {},
        ground: [],
        failure: 7,
        usage: null,
      },
    ],
    [
      type,
      {
        run: {},
        task: [],
        session: 7,
        owner: null,
        service: {},
        spec: {name: {}},
        round: 'x',
        attempt: {},
      },
    ],
  ]);
  writeJournal(fixture, [
    ['daemon-started', {build: '0.1.0', journal: 'abcdef012345'}],
    ['service-declared', {spec: {}}],
    ['run-created', {run: 'r1', request, budget: {}}],
    ...junk,
    ['service-declared', {spec: {name: 'web', command: 'true'}}],
  ]);
  checkAnswers(fixture);
  assert.match(
    ((await fixture.ask({about: 'explanation', of: 'r1'})) as {text: string}).text,
    /r1/,
  );
  assert.equal(fixture.run('note', 'r1', 'it goes on').code, 0);
  assert.equal(
    fixture.events().filter(({type}) => type === 'note-added').length,
    4,
    'three that are none, and this one',
  );
});

const terms: readonly unknown[] = [
  '',
  'r1',
  's1',
  'r1.t1',
  '__proto__',
  'constructor',
  '../../x',
  'x'.repeat(5000),
  '"'.repeat(300_000),
  '\0',
  '\u{1F680}',
  0,
  -1,
  1,
  1e308,
  2 ** 53,
  null,
  true,
  [],
  {},
  [[]],
  {length: 1e9},
  {about: 'wish'},
];
const types = [
  'start-run',
  'declare-service',
  'edit-plan',
  'approve-plan',
  'add-note',
  'send-input',
  'stop',
  'discard',
  'extend-budget',
  'answer-question',
  'acknowledge-intrusion',
  'move-in-queue',
  'comment-plan',
  'tidy-worktree',
  'start-service',
  'report',
  'nothing',
];
// Not `stop-daemon`, which would be answered, nor what starts programs.
const abouts = [
  'wish',
  'wish',
  'wish',
  'state',
  'sessions',
  'explain',
  'usage',
  'ticket',
  'services',
  'facts',
  'daemon',
  'explanation',
  'diff',
  'timeline',
  'brief',
  'recall',
  'audit',
  'skills',
  'kept',
  'conflicts',
  'events',
  'asked',
  'give-files',
  'tool',
  'nonsense',
];
const names = [
  'run',
  'task',
  'session',
  'sessions',
  'what',
  'of',
  'on',
  'text',
  'words',
  'files',
  'spec',
  'request',
  'budget',
  'plan',
  'hash',
  'reason',
  'number',
  'position',
  'line',
  'tokens',
  'service',
  'owner',
  'from',
  'since',
  'limit',
  'size',
  'env',
  'name',
  'command',
  '__proto__',
];

function getValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.5)) return random.pick(terms);
  const fields = Array.from({length: random.below(4)}, () => [
    random.pick(names),
    getValue(random, depth - 1),
  ]);
  return random.chance(0.3) ? fields.map(([, value]) => value) : Object.fromEntries(fields);
}

/** One that a client can send. */
function getQuestion(random: Random): object {
  for (;;) {
    const question = getAnyQuestion(random);
    if (JSON.stringify(question).length < 1_000_000) return question;
  }
}

function getAnyQuestion(random: Random): object {
  const fields = Object.fromEntries(
    Array.from({length: random.below(5)}, () => [random.pick(names), getValue(random, 3)]),
  );
  const about = random.pick(abouts);
  return about === 'wish'
    ? {
        about,
        wish: random.chance(0.1) ? getValue(random, 2) : {...fields, type: random.pick(types)},
      }
    : {...fields, about};
}

test('thousands of malformed questions at a real socket: each is answered or refused, nothing malformed is written, and all goes on', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sleep', '1000');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  const pid = await fixture.daemonPid();
  const random = createRandom('questions');
  const count = 2000;
  const wire = await openWire(fixture.current().socket);
  t.after(() => wire.socket.destroy());
  wire.print({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: readToken(fixture.current()),
    parts: true,
    factParts: true,
    more: {},
  });
  await wire.onMessage('welcome');
  for (let id = 1; id <= count; id++)
    wire.print({type: 'ask', id, question: getQuestion(random), more: 1});
  const answered = (): number =>
    new Set(
      wire.received.flatMap((message) =>
        message.type === 'answer' || message.type === 'refusal' ? [message.id] : [],
      ),
    ).size;
  await eventually('every one is answered or refused', () => answered() === count, 300_000);
  assert.equal(wire.isClosed(), false);
  assert.equal(await fixture.daemonPid(), pid, 'it is the same daemon');
  for (const event of fixture.events())
    assert.equal(findMalformation(event), undefined, JSON.stringify(event).slice(0, 300));
  checkAnswers(fixture);
});

test('frames of random bytes, and JSON of any depth, cost nobody but the sender its connection', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.ask({about: 'daemon'});
  const pid = await fixture.daemonPid();
  const random = createRandom('frames');
  const deep = (open: string, close: string): string =>
    `${open.repeat(150_000)}${close.repeat(150_000)}`;
  const hello = JSON.stringify({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: readToken(fixture.current()),
  });
  const bodies = [
    deep('[', ']'),
    deep('{"a":', '}').replace('{"a":}', '{"a":1}'),
    `{"type":"ask","id":1,"question":{"about":"tool","input":${deep('[', ']')}}}`,
    `{"type":"ask","id":1,"question":{"about":"wish","wish":{"type":"edit-plan","run":"r1","hash":"x","plan":{"x":${deep('[', ']')}}}}}`,
  ];
  for (let index = 0; index < 300; index++) {
    const wire = await openWire(fixture.current().socket);
    if (random.chance(0.7)) wire.write(encodeFrame('control', Buffer.from(hello)));
    const body = index < 20 ? bodies[index % bodies.length]! : undefined;
    const bytes =
      body === undefined
        ? Buffer.from(Array.from({length: random.below(200)}, () => random.below(256)))
        : encodeFrame('control', Buffer.from(body));
    wire.write(bytes);
    if (body !== undefined)
      await eventually(
        'it is answered or dropped',
        () =>
          wire.isClosed() ||
          wire.received.some(
            ({type}) => type === 'refusal' || type === 'answer' || type === 'error',
          ),
      );
    wire.socket.destroy();
  }

  assert.equal(await fixture.daemonPid(), pid);
  checkAnswers(fixture);
});
