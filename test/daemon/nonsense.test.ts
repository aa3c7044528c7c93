import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {crc32} from 'node:zlib';
import {readToken} from '../../source/commands/here.ts';
import {eventTypes, malformationOf} from '../../source/domain/index.ts';
import {encodeFrame} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {createRandom, type Random} from '../support/random.ts';
import {createPlace, type Place} from './support/place.ts';
import {openWire} from './support/wire.ts';

/** Lines with sound checksums, as a daemon of an older version would have left them. */
function writeJournal(
  place: Place,
  events: readonly (readonly [type: string, data: object])[],
): void {
  const {stateDirectory} = place.here();
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
function checkAnswers(place: Place): void {
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
    const {code, err} = place.run(
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
  const place = createPlace(t);
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
  writeJournal(place, [
    ['daemon-started', {build: '0.1.0', journal: 'abcdef012345'}],
    ['service-declared', {spec: {}}],
    ['run-created', {run: 'r1', request, budget: {}}],
    ...junk,
    ['service-declared', {spec: {name: 'web', command: 'true'}}],
  ]);
  checkAnswers(place);
  assert.match(((await place.ask({about: 'explanation', of: 'r1'})) as {text: string}).text, /r1/);
  assert.equal(place.run('note', 'r1', 'it goes on').code, 0);
  assert.equal(
    place.events().filter(({type}) => type === 'note-added').length,
    4,
    'three that are none, and this one',
  );
});

const words: readonly unknown[] = [
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

function valueOf(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.5)) return random.pick(words);
  const fields = Array.from({length: random.below(4)}, () => [
    random.pick(names),
    valueOf(random, depth - 1),
  ]);
  return random.chance(0.3) ? fields.map(([, value]) => value) : Object.fromEntries(fields);
}

/** One that a client can send. */
function questionOf(random: Random): object {
  for (;;) {
    const question = anyQuestionOf(random);
    if (JSON.stringify(question).length < 1_000_000) return question;
  }
}

function anyQuestionOf(random: Random): object {
  const fields = Object.fromEntries(
    Array.from({length: random.below(5)}, () => [random.pick(names), valueOf(random, 3)]),
  );
  const about = random.pick(abouts);
  return about === 'wish'
    ? {about, wish: random.chance(0.1) ? valueOf(random, 2) : {...fields, type: random.pick(types)}}
    : {...fields, about};
}

test('thousands of malformed questions at a real socket: each is answered or refused, nothing malformed is written, and all goes on', async (t) => {
  const place = createPlace(t);
  await place.start('sleep', '1000');
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  const pid = await place.daemonPid();
  const random = createRandom('questions');
  const count = 2000;
  const wire = await openWire(place.here().socket);
  t.after(() => wire.socket.destroy());
  wire.say({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: readToken(place.here()),
    parts: true,
    factParts: true,
    more: {},
  });
  await wire.hear('welcome');
  for (let id = 1; id <= count; id++)
    wire.say({type: 'ask', id, question: questionOf(random), more: 1});
  const answered = (): number =>
    new Set(
      wire.heard.flatMap((message) =>
        message.type === 'answer' || message.type === 'refusal' ? [message.id] : [],
      ),
    ).size;
  await eventually('every one is answered or refused', () => answered() === count, 300_000);
  assert.equal(wire.isClosed(), false);
  assert.equal(await place.daemonPid(), pid, 'it is the same daemon');
  for (const event of place.events())
    assert.equal(malformationOf(event), undefined, JSON.stringify(event).slice(0, 300));
  checkAnswers(place);
});

test('frames of random bytes, and JSON of any depth, cost nobody but the sender its connection', async (t) => {
  const place = createPlace(t);
  await place.ask({about: 'daemon'});
  const pid = await place.daemonPid();
  const random = createRandom('frames');
  const deep = (open: string, close: string): string =>
    `${open.repeat(150_000)}${close.repeat(150_000)}`;
  const hello = JSON.stringify({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: readToken(place.here()),
  });
  const bodies = [
    deep('[', ']'),
    deep('{"a":', '}').replace('{"a":}', '{"a":1}'),
    `{"type":"ask","id":1,"question":{"about":"tool","input":${deep('[', ']')}}}`,
    `{"type":"ask","id":1,"question":{"about":"wish","wish":{"type":"edit-plan","run":"r1","hash":"x","plan":{"x":${deep('[', ']')}}}}}`,
  ];
  for (let index = 0; index < 300; index++) {
    const wire = await openWire(place.here().socket);
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
          wire.heard.some(({type}) => type === 'refusal' || type === 'answer' || type === 'error'),
      );
    wire.socket.destroy();
  }

  assert.equal(await place.daemonPid(), pid);
  checkAnswers(place);
});
