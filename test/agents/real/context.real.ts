import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {after, before, describe, test} from 'node:test';
import {getFaults, getSum} from '../../../scripts/context/compare.ts';
import type {
  Placement,
  Recordings,
  Request,
  Transcript,
} from '../../../scripts/context/transcript.ts';
import {versions} from '../../../scripts/agents/versions.ts';
import {countTokens} from '../../../source/shared/index.ts';
import {composeWorkerPrompt} from '../../../source/prompts/index.ts';
import {bundleProgram} from '../../support/bundle-program.ts';
import {getFields, listOf, type Script, toTexts, type Turn} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {getPrompt, promptParts, rulesText} from './support/prompts.ts';
import {createFixture, type Fixture} from './support/fixture.ts';

const file = path.join(import.meta.dirname, '../goldens/context.json');
const {write, shell} = actionNames['claude']!;
const recorded: {transcripts: Transcript[]; placements: Placement[]} = {
  transcripts: [],
  placements: [],
};

let renderer = '';
before(async () => {
  renderer = await bundleProgram('test/agent-runner/programs/render.ts');
});
// With RECORD_STREAMS=1: keeps the numbers for `npm run context` and its test.
after(() => {
  if (process.env['RECORD_STREAMS'] === '1')
    writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
});

const getVersion = (name: string): string =>
  versions.find((one) => one.name === name)?.version ?? '';

describe('a small task, by the real claude', () => {
  const repaired =
    'let refreshing;\nexport function getToken() {\n  refreshing ??= refresh().finally(() => { refreshing = undefined; });\n  return refreshing;\n}\n';
  const read = (directory: string, name: string): Turn => ({
    calls: [{name: 'Read', input: {file_path: path.join(directory, name)}}],
  });
  const repair = (directory: string): Turn => ({
    calls: [write(path.join(directory, 'src/token.js'), repaired)],
  });

  test('without our context looks around, reads logs, and checks for itself', async (t) => {
    const fixture = await createFixture(t, 'claude', renderer, (directory) =>
      inTurn(
        {calls: [shell('ls -R . | head -200')]},
        read(directory, 'README.md'),
        read(directory, 'package.json'),
        {calls: [shell('node test.js')]},
        read(directory, 'src/index.js'),
        read(directory, 'src/token.js'),
        repair(directory),
        {calls: [shell('node test.js')]},
        {text: 'Repaired.'},
      ),
    );
    layOut(fixture.directory);
    const {code, screen} = await fixture.run({
      prompt:
        'Tokens are refreshed twice when two requests come at once. Repair that, and make sure that the tests pass.',
      isConfined: true,
    });
    assert.equal(code, 0, screen);
    recorded.transcripts.push(getTranscript(fixture, 'without'));
  });

  test('with our context knows what to change and why; its checks are run beside it', async (t) => {
    const fixture = await createFixture(t, 'claude', renderer, (directory) =>
      inTurn(read(directory, 'src/token.js'), repair(directory), {
        text: 'Repaired.\n\n```json\n{"rootCause": "No refresh in flight was kept."}\n```',
      }),
    );
    layOut(fixture.directory);
    const {text} = composeWorkerPrompt({
      ...promptParts('Stop refreshing tokens twice.'),
      task: {
        id: 't1',
        title: 'Share the refresh in flight',
        brief:
          'Keep the promise of the running refresh in src/token.js, return it to every caller, and drop it when it settles.',
        files: ['src/token.js'],
        after: [],
        services: [],
      },
      invariants: ['getToken() keeps its signature.'],
      checks: [{name: 'test', command: 'node test.js'}],
      facts: [
        {
          name: 'worktree',
          value: {path: fixture.directory, branch: 'orchestra/r1-t1', base: '1234567'},
          source: 'journal',
          at: 0,
        },
        {name: 'services', value: [], source: 'journal', at: 0},
      ],
    });
    const {code, screen} = await fixture.run({prompt: text, isConfined: true});
    assert.equal(code, 0, screen);
    recorded.transcripts.push(getTranscript(fixture, 'with'));
    const [without, withPack] = recorded.transcripts.map(getSum);
    assert.equal(
      (withPack?.total ?? 0) < (without?.total ?? 0),
      true,
      JSON.stringify([without, withPack]),
    );
    assert.equal(
      (withPack?.last ?? 0) < (without?.last ?? 0),
      true,
      JSON.stringify([without, withPack]),
    );
  });
});

for (const [name, place] of [
  ['claude', 'system'],
  ['codex', 'system'],
  ['gemini', 'prompt'],
  ['opencode', 'prompt'],
  ['pi', 'system'],
] as const) {
  test(`${name} has the rules as the first of our words, whole, in order, once`, async (t) => {
    const fixture = await createFixture(t, name, renderer, () => inTurn({text: 'Yes.'}));
    await fixture.run({prompt: getPrompt('work', 'Greet everybody.')});
    const asked =
      fixture.server.asked.find(({tools}) => tools.length > 0) ??
      assert.fail('nothing reached the model');
    const arrived =
      place === 'system'
        ? asked.system
        : (asked.user.find((text) => text.includes('# Task t1')) ?? '');
    const start = place === 'system' ? arrived.indexOf('# Rules\n') : 0;
    const placement: Placement = {
      agent: name,
      version: getVersion(name),
      in: place,
      text: start === -1 ? '' : arrived.slice(start, start + rulesText.length),
      times: [asked.system, ...asked.user].join('\n').split(rulesText).length - 1,
    };
    assert.deepEqual(getFaults(placement, rulesText), []);
    recorded.placements.push(placement);
  });
}

test('what was recorded is what is seen now, but for a few tokens', () => {
  if (process.env['RECORD_STREAMS'] === '1') return;
  const {transcripts} = JSON.parse(readFileSync(file, 'utf8')) as Recordings;
  for (const [index, transcript] of transcripts.entries()) {
    const [retained, seen] = [
      getSum(transcript),
      getSum(recorded.transcripts[index] ?? transcript),
    ];
    assert.equal(retained.requests, seen.requests);
    assert.equal(
      Math.abs(retained.total - seen.total) < retained.total * 0.1,
      true,
      JSON.stringify({kept: retained, seen}),
    );
  }
});

/** A repository with a test that says much, as they do. */
function layOut(directory: string): void {
  mkdirSync(path.join(directory, 'src'));
  const texts: Readonly<Record<string, string>> = {
    'README.md': `# Tokens\n\n${'This service hands out tokens to whoever asks, and refreshes them before they expire.\n'.repeat(40)}`,
    'package.json': JSON.stringify(
      {name: 'tokens', type: 'module', scripts: {test: 'node test.js'}},
      undefined,
      2,
    ),
    'src/index.js': `import {getToken} from './token.js';\n${Array.from({length: 60}, (_, index) => `export const route${index} = async () => ({token: await getToken(), route: ${index}});\n`).join('')}`,
    'src/token.js':
      'export function getToken() {\n  return refresh();\n}\n\nasync function refresh() {\n  return crypto.randomUUID();\n}\n',
    'test.js':
      'for (let i = 0; i < 300; i += 1) console.log(`ok ${i} - route ${i % 60} answers with a token that is still valid after ${i} ms`);\nconsole.log("not ok 301 - two requests share one refresh\\n  expected 1, got 2 at src/token.js:2");\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(directory, name), text);
  execFileSync('git', ['add', '--all'], {cwd: directory});
}

function getTranscript({server}: Fixture, variant: Transcript['variant']): Transcript {
  const requests = server.bodies
    .filter((_, index) => (server.asked[index]?.tools.length ?? 0) > 0)
    .map(getRequest);
  return {agent: 'claude', version: getVersion('claude'), variant, requests};
}

function getRequest(body: unknown): Request {
  const {system, tools, messages} = getFields(body);
  const parts = listOf(messages)
    .map(getFields)
    .flatMap(({role, content}) =>
      (typeof content === 'string'
        ? [{type: 'text', text: content}]
        : listOf(content).map(getFields)
      ).map((part) => ({role, part})),
    );
  const tokens = (texts: readonly string[]): number => countTokens(texts.join('\n'));
  const isResult = ({part}: (typeof parts)[number]): boolean =>
    getFields(part)['type'] === 'tool_result';
  return {
    system: tokens(toTexts(system)),
    tools: countTokens(JSON.stringify(tools)),
    prompt: tokens(
      parts
        .filter((one) => one.role !== 'assistant' && !isResult(one))
        .flatMap(({part}) => toTexts(part)),
    ),
    said: countTokens(
      JSON.stringify(parts.filter(({role}) => role === 'assistant').map(({part}) => part)),
    ),
    results: tokens(
      parts.filter(isResult).flatMap(({part}) => toTexts(getFields(part)['content'])),
    ),
  };
}

function inTurn(...turns: readonly Turn[]): Script {
  return ({tools, results}) =>
    tools.length === 0
      ? {text: 'A title'}
      : (turns[Math.min(results.length, turns.length - 1)] ?? {text: 'Done.'});
}
