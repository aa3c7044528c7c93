// Whatever the bytes, reading gives a project that can be used and problems with lines; it never
// throws.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatProjectProblems, parseProject} from '../../source/project-config/index.ts';
import type {ServiceSpec} from '../../source/domain/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

/** Pieces that mean something to the reader, to YAML, or trouble. */
const yaml = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'setup: ',
          'limits:',
          'workers: 3',
          'runs: ',
          'services:',
          'web: ',
          'api:',
          'command: npm start',
          'port: 80',
          'ready: ',
          'port',
          'http: /a',
          'log: ready',
          'agents: 1',
          'sevices: ',
          'copy: ',
          'share:',
          'sandbox: off',
          'environment: ',
          'branch: ',
          'ports: ',
          'worker: a',
          'checkMinutes: 3',
        ),
      },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '\n',
          '\n  ',
          '\n    ',
          '\n      ',
          '\t',
          ' ',
          ': ',
          '- ',
          '? ',
          '{',
          '}',
          '[',
          ']',
          ', ',
          '"',
          "'",
          '|\n',
          '>-\n',
          '# ',
          '---\n',
          '\n...\n',
          '%YAML 1.1\n',
          '&a ',
          '*a',
          '<<: ',
          '!t ',
          '!!str ',
          '~',
          '\\',
        ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '__proto__: ',
          '\u0000',
          '\u0002',
          '\u001F',
          '\u001B[31m',
          '\u202E',
          '\u200B',
          '\uFEFF',
          '\u2028',
          '\uD800',
          '😀',
          '0',
          '65536',
          '1e3',
          'true',
        ),
      },
      fc.string({maxLength: 6, unit: 'binary'}),
    ),
    {maxLength: 25},
  )
  .map((pieces) => pieces.join('').replaceAll('\r', ''));

test('8,000 texts that look like a project file are read, the same on every system', () => {
  fc.assert(
    fc.property(yaml, (text) => {
      const reading = parseProject(text);
      assertReading(text, reading);
      assert.deepEqual(parseProject(text.replaceAll('\n', '\r\n')), reading);
      if (!text.startsWith('\uFEFF')) assert.deepEqual(parseProject(`\uFEFF${text}`), reading);
    }),
    {numRuns: scaled(8000)},
  );
});

test('3,000 arrays of bytes are read', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 200}), (bytes) => {
      assertReading(new TextDecoder().decode(bytes), parseProject(bytes));
    }),
    {numRuns: scaled(3000)},
  );
});

test('5,000 mappings that resemble a project are read, and what was read reads the same again', () => {
  const word = fc.oneof(
    fc.string({maxLength: 8, unit: 'binary'}),
    fc.constantFrom(
      'npm start',
      'todo',
      '',
      'a\nb',
      '/',
      '/health',
      '//x',
      '(a+)+',
      'ready',
      'port',
      '\u202E',
    ),
  );
  const value = fc.oneof(word, fc.integer({min: -1, max: 70_000}), fc.jsonValue({maxDepth: 2}));
  const ready = fc.oneof(
    fc.constant('port'),
    fc.record({http: word, log: word, other: value}, {requiredKeys: []}),
    value,
  );
  const service = fc.oneof(
    word,
    fc.record(
      {
        command: fc.oneof(word, value),
        port: fc.oneof(fc.integer({min: 1, max: 3}), value),
        ready,
        env: value,
      },
      {requiredKeys: ['command']},
    ),
  );
  const name = fc.oneof(fc.constantFrom('web', 'api', 'a-1', 'Web', '__proto__', '<<'), word);
  const list = fc.oneof(fc.array(word, {maxLength: 4}), value);
  const agent = fc.record(
    {plan: list, work: list, prompt: fc.constantFrom('stdin', 'file', 'x'), model: word},
    {requiredKeys: ['plan', 'work', 'prompt']},
  );
  const limits = fc.record(
    {
      contextTokens: fc.integer({min: 0, max: 300_000}),
      workers: fc.oneof(fc.integer({min: 0, max: 65}), value),
      runs: value,
      other: value,
    },
    {requiredKeys: []},
  );
  const host = fc.oneof(
    fc.constantFrom(
      'registry.npmjs.org',
      '*.github.com',
      'A.B:1',
      'localhost:3000',
      'localhost',
      '127.0.0.1:5432',
      '[::1]:8080',
      '::1',
      '::ffff:10.0.0.1',
      '0x7f.1',
      '127.1',
      '*',
      '*.com',
      'a:0',
      'a:65536',
      'http://a',
    ),
    word,
  );
  const network = fc.oneof(
    fc.constantFrom('all', 'none'),
    fc.record(
      {allow: fc.oneof(fc.array(host, {maxLength: 5}), value), other: value},
      {requiredKeys: []},
    ),
    value,
  );
  const project = fc.record(
    {
      setup: fc.oneof(word, value),
      limits: fc.oneof(limits, value),
      services: fc.oneof(fc.dictionary(name, service, {maxKeys: 4}), value),
      agents: fc.oneof(fc.dictionary(name, agent, {maxKeys: 1}), value),
      worker: word,
      copy: list,
      share: list,
      environment: list,
      ports: fc.oneof(fc.record({from: value, perTask: value}, {requiredKeys: []}), value),
      sandbox: fc.oneof(
        fc.constantFrom('auto', 'off'),
        value,
        fc.record(
          {
            use: fc.oneof(fc.constantFrom('auto', 'off', 'required'), value),
            network: fc.oneof(
              network,
              fc.record({planner: network, workers: network, checks: network}, {requiredKeys: []}),
            ),
            netwrok: value,
          },
          {requiredKeys: []},
        ),
      ),
      branch: word,
    },
    {requiredKeys: []},
  );
  fc.assert(
    fc.property(
      project.map((document) => JSON.stringify(document, undefined, 1)),
      (text) => {
        assertReading(text, parseProject(text));
      },
    ),
    {numRuns: scaled(5000), examples: [['{"share": ["!//"]}']]},
  );
});

function assertReading(text: string, {value, problems}: ReturnType<typeof parseProject>): void {
  const lines = text.split(/\r\n?|\n/).length;
  for (const problem of problems) {
    assert.ok(
      problem.line >= 1 && problem.line <= lines,
      `line ${problem.line} of ${lines}: ${problem.text}`,
    );
    assert.match(problem.text, /[.?]$/);
  }

  const printed = formatProjectProblems('x.yaml', problems);
  assert.doesNotMatch(printed, hidden);
  assert.equal(printed === '' ? 0 : printed.split('\n').length, Math.min(problems.length, 41));
  assert.doesNotMatch(JSON.stringify(value), hidden);
  assert.ok(
    value.limits.workers >= 1 &&
      value.limits.workers <= 64 &&
      value.limits.runs >= 1 &&
      value.limits.runs <= 16,
  );
  const ports = value.services.flatMap(({port}) => port ?? []);
  assert.equal(new Set(ports).size, ports.length);

  const services = value.services.map(({name, ...rest}) => [
    name,
    {...rest, ...(rest.ready !== undefined && {ready: getWritten(rest.ready)})},
  ]);
  const agents = value.agents && {
    agents: Object.fromEntries(value.agents.map(({name, ...rest}) => [name, rest])) as object,
  };
  const {network, ...plain} = value;
  const sandbox = network && {
    sandbox: {...(value.sandbox !== undefined && {use: value.sandbox}), network},
  };
  const written = JSON.stringify({
    ...plain,
    ...sandbox,
    ...agents,
    services: Object.fromEntries(services) as object,
  });
  const again = parseProject(written);
  assert.deepEqual(again.problems, []);
  assert.deepEqual(
    {...again.value, services: byName(again.value.services)},
    {...value, services: byName(value.services)},
  );
}

function getWritten(ready: NonNullable<ServiceSpec['ready']>): unknown {
  if (ready.by === 'port') return 'port';
  return ready.by === 'http' ? {http: ready.path} : {log: ready.pattern};
}

function byName(services: readonly ServiceSpec[]): ServiceSpec[] {
  return services.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u;
