import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Repository} from '../../../source/app/model/model.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, happen, nothingYet, open, press} from '../screens/fixtures.ts';

const text = [
  '<!-- For every planner and worker, in this order.',
  'A `code span` at the end enforces a rule. Check',
  'the file with: orchestra rules check -->',
  '',
  '# 1. Hard constraints',
  '- Keep public interfaces as they are.',
  '- Add no dependency unless the task names it.',
  '',
  '# 2. Changes',
  '- Change only what the task needs.',
  '<!-- - Keep changes small. `max-files: 8` -->',
  '',
  '# 3. Validation',
  '1. The tests pass. `test: npm test`',
  '2. It builds. `build: npm run build`',
  '3. The linter is content. `lint: npm run lint`',
  '',
].join('\n');

const bare: Partial<Repository> = {
  agents: [],
  rules: {exists: false, rules: 0, enforced: 0, checks: [], problems: 0},
  starter: {text, checks: [{name: 'test', command: 'npm test'}]},
};

function start(size: Size = {columns: 80, rows: 24}, more: Partial<Repository> = bare): Fixture {
  return open(nothingYet().state, nothingYet().now, size, undefined, more);
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('starter rules', () => {
  test('what is missing is shown with the key that mends it', () => {
    const shown = textOf(start({columns: 120, rows: 45}));
    assert.match(shown, /○ rules +none yet: only the plan binds workers +I write a starter/);
    assert.match(shown, /○ checks +none yet: nothing proves .*; npm test exists +I use it/);
    assert.match(shown, /I starter rules/);
    const writing = textOf(start({columns: 120, rows: 45}, {...bare, agents: ['claude']}));
    assert.match(writing, /Esc I write a starter/);
  });

  test('the whole file is shown, and written by the key that asked', () => {
    const fixture = start();
    press(fixture, 'I');
    const shown = textOf(fixture);
    for (const line of text.trimEnd().split('\n')) assert.ok(shown.includes(`+ ${line}`), line);
    assert.match(shown, /I {2}write it[^]*Esc {2}leave it/);
    press(fixture, 'enter', 'y');
    assert.ok(!fixture.effects.some(({type}) => type === 'write-rules'));
    press(fixture, 'I');
    assert.deepEqual(fixture.effects.at(-1), {type: 'write-rules', text});
    happen(fixture, {type: 'rules-written'});
    assert.match(textOf(fixture), /Written: \.rulesfile\.md/);
  });

  test('Esc leaves everything as it is', () => {
    const fixture = start();
    press(fixture, 'I', 'escape');
    assert.equal(fixture.model.confirmation, undefined);
    assert.ok(!fixture.effects.some(({type}) => type === 'write-rules'));
  });

  test('a window that cannot show all of it writes nothing', () => {
    const fixture = start({columns: 60, rows: 15});
    press(fixture, 'I');
    assert.equal(fixture.model.confirmation, undefined);
    assert.match(fixture.model.notice?.text ?? '', /seen whole first: that needs \d+ rows/);
  });

  test('a rules file that is there is left alone', () => {
    const fixture = start(undefined, {agents: []});
    press(fixture, 'I');
    assert.equal(fixture.model.confirmation, undefined);
    const late = start();
    press(late, 'I', 'I');
    happen(late, {type: 'rules-written', text: '/x/.rulesfile.md is there already\u001B[2J'});
    assert.match(textOf(late), /is there already/);
  });
});

test('after the first commit, agents that appear are still found', () => {
  let agents: readonly string[] = [];
  const repository = {...start().model.repository, trouble: 'no-commits' as const};
  const fixture = start();
  fixture.model = {
    ...fixture.model,
    repository: Object.defineProperty(repository, 'agents', {
      get: () => agents,
      enumerable: true,
      configurable: true,
    }),
  };
  happen(fixture, {type: 'repository-prepared'});
  assert.equal(fixture.model.repository.trouble, undefined);
  assert.match(textOf(fixture), /No coding agent is installed here/);
  agents = ['claude'];
  assert.match(textOf(fixture), /What should be different\?/);
});
