import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {toAsyncScript} from '../../../scripts/build/async-script.ts';
import {loadCachedScript} from '../../../source/cli/app/run-cached-script.ts';

type Place = {readonly file: string; readonly directory: string};

function createPlace(context: TestContext): Place {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-code-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  const file = path.join(directory, 'twice.cjs');
  writeFileSync(file, '(function (number) { return (() => number * 2)(); })');
  return {file, directory};
}

const codeFiles = ({directory}: Place): string[] =>
  readdirSync(directory).filter((name) => name.endsWith('.code'));

test('a script runs without a cache, and with the code that was saved while it ran', (context) => {
  const place = createPlace(context);
  const first = loadCachedScript({...place, id: 'one'});
  assert.equal(first.isCached, false);
  assert.equal(first.run(21), 42);
  first.save();
  assert.equal(codeFiles(place).length, 1);
  const next = loadCachedScript({...place, id: 'one'});
  assert.equal(next.isCached, true);
  assert.equal(next.run(4), 8);
});

test('damaged code is not given to V8', (context) => {
  const place = createPlace(context);
  loadCachedScript({...place, id: 'one'}).save();
  const [name = ''] = codeFiles(place);
  const file = path.join(place.directory, name);
  const whole = readFileSync(file);
  const flipped = Uint8Array.from(whole, (byte, at) =>
    at === whole.length >> 1 ? byte ^ 1 : byte,
  );
  for (const damaged of [flipped, whole.subarray(0, whole.length >> 1), whole.subarray(0, 3)]) {
    writeFileSync(file, damaged);
    const script = loadCachedScript({...place, id: 'one'});
    assert.equal(script.isCached, false);
    assert.equal(script.run(21), 42);
  }
});

test('the code of another version is not used, and goes when new code is saved', (context) => {
  const place = createPlace(context);
  loadCachedScript({...place, id: 'one'}).save();
  const other = loadCachedScript({...place, id: 'two'});
  assert.equal(other.isCached, false);
  other.save();
  const left = codeFiles(place);
  assert.equal(left.length, 1);
  assert.match(left[0] ?? '', /^twice-two-/);
});

test('without a directory nothing is saved', (context) => {
  const place = createPlace(context);
  const script = loadCachedScript({...place, directory: undefined, id: 'one'});
  script.save();
  assert.equal(script.run(1), 2);
  assert.deepEqual(codeFiles(place), []);
});

test('a bundled module becomes an async function that returns its export', async () => {
  for (const ending of ['export{a as app};\n', 'export {\n  a as app\n};\n']) {
    const script = toAsyncScript(`const a = await require('x') + orchestraMeta.y;${ending}`, 'app');
    const run = (0, eval)(script) as (...given: unknown[]) => Promise<number>;
    assert.equal(await run(() => Promise.resolve(1), {y: 2}), 3);
  }

  const script = toAsyncScript('const a=await import("./late.js");export{a as app};', 'app');
  const run = (0, eval)(script) as (...given: unknown[]) => Promise<unknown>;
  assert.equal(await run(undefined, {}, (file: string) => Promise.resolve(file)), './late.js');
  assert.throws(() => toAsyncScript('export{a as app,b};', 'app'), /exports app alone/);
});
