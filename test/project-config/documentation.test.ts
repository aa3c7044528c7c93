import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {formatProjectProblems, getLimits, parseProject} from '../../source/project-config/index.ts';
import {
  laterFields,
  limitRanges,
  projectFields,
} from '../../source/project-config/parse-project.ts';
import {emptyState} from '../../source/domain/index.ts';

const page = readFileSync(
  path.join(import.meta.dirname, '..', '..', 'docs', 'project-file.md'),
  'utf8',
);

test('the example in docs/project-file.md has nothing wrong with it and shows every field', () => {
  const example = /^```yaml\n([^]*?)^```$/m.exec(page)![1]!;
  assert.deepEqual(parseProject(example), {
    value: {
      setup: 'npm ci',
      copy: ['.env', 'config/*.local.json'],
      share: ['node_modules'],
      planner: 'claude',
      worker: 'my-agent',
      fallback: ['codex'],
      agents: [
        {
          name: 'my-agent',
          plan: ['my-agent', '--read-only'],
          work: ['my-agent', '--model', '{model}'],
          prompt: 'stdin',
          model: 'small-1',
        },
      ],
      limits: {
        workers: 4,
        runs: 2,
        attemptMinutes: 60,
        noProgressMinutes: 15,
        checkMinutes: 20,
        pauseSeconds: 30,
        pauseMinutes: 1440,
        attemptTokens: 2_000_000,
        runTokens: 10_000_000,
        contextTokens: 6000,
        toolResultTokens: 2000,
        sameCalls: 8,
        sameFailures: 4,
        undoneEdits: 3,
        unchangedMinutes: 30,
        onLoop: 'ask',
      },
      sandbox: 'auto',
      branch: 'orchestra',
      ports: {from: 4000, perTask: 10},
      environment: ['DATABASE_URL', 'NPM_TOKEN'],
      tools: [
        {name: 'docs', command: ['npx', '-y', 'docs-server'], environment: ['DOCS_TOKEN']},
        {name: 'tracker', url: 'https://tracker.example/mcp'},
      ],
      checks: [{name: 'test', report: ['build/test-results/**/*.xml']}],
      services: [
        {name: 'styles', command: 'npm run watch:css'},
        {name: 'database', command: 'docker compose up database', port: 5432, ready: {by: 'port'}},
        {name: 'web', command: 'npm start', port: 3000, ready: {by: 'http', path: '/health'}},
        {
          name: 'queue',
          command: 'node queue.js',
          ready: {by: 'log', pattern: String.raw`listening for jobs in \d+ ms`},
        },
        {name: 'mail', command: 'npx maildev --smtp 1025', port: 1025, ready: {by: 'port'}},
      ],
    },
    problems: [],
  });
});

test('docs/project-file.md names every field, and every field that is not supported yet', () => {
  const nested = [
    ...Object.keys(limitRanges).map((name) => `limits.${name}`),
    'limits.onLoop',
    'ports.from',
    'ports.perTask',
    ...['command', 'port', 'ready', 'ready.http', 'ready.log'].map(
      (field) => `services.NAME.${field}`,
    ),
    ...['command', 'environment', 'url'].map((field) => `tools.NAME.${field}`),
  ];
  for (const field of [
    ...projectFields.filter((name) => name !== 'limits' && name !== 'ports'),
    ...nested,
  ])
    assert.ok(page.includes(`\n| \`${field}\` |`), field);
  assert.ok(page.includes(`they work: ${laterFields.map((field) => `\`${field}\``).join(', ')}.`));
});

test('docs/project-file.md tells the defaults and ranges of limits as they are', () => {
  const usual = getLimits(emptyState.project);
  for (const [name, {least, most}] of Object.entries(limitRanges)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`limits.${name}\` |`)) ?? '';
    assert.ok(row.includes(`| ${usual[name as keyof typeof usual] ?? 'none'} |`), row);
    assert.ok(row.includes(`${least} to ${most}`) || row.includes('The same range.'), row);
  }
});

test('the problems in docs/project-file.md are what a person sees', () => {
  const {problems} = parseProject(
    'setup: npm ci\n\nlimits:\n  worker: 3\n\nservices:\n  web:\n    command: npm start\n    port: "3000"\n',
  );
  const example = /^```text\n([^]*?)^```$/m.exec(page)![1]!;
  assert.equal(`${formatProjectProblems('.orchestra/project.yaml', problems)}\n`, example);
});
