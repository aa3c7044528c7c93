import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {emptyState} from '../../../source/domain/index.ts';
import {noteReports, readReports} from '../../../source/daemon/effects/check-reports.ts';
import {findFiles} from '../../../source/daemon/effects/find-files.ts';

function createPlace(t: TestContext, report?: readonly string[]) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-reports-'));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  let note: object | undefined;
  const context = {
    store: {
      writeNote: (_: string, __: string, value: object) => {
        note = value;
      },
      noteOf: () => note,
      metaOf: () => ({went: {at: Date.now() - 1000}}),
    },
    state: () => ({
      ...emptyState,
      project: {
        ...emptyState.project,
        ...(report === undefined ? {} : {checks: [{name: 'test', report}]}),
      },
    }),
  } as unknown as Parameters<typeof readReports>[0];
  return {
    write: (name: string, text = 'x') => {
      mkdirSync(path.dirname(path.join(directory, name)), {recursive: true});
      writeFileSync(path.join(directory, name), text);
    },
    directory,
    start: () => {
      noteReports(context, 's1', 'test', directory);
    },
    read: () => readReports(context, 's1', 'test', directory),
  };
}

test('only what changed since the start is read', (t) => {
  const place = createPlace(t, ['out/*.xml', 'missing.json']);
  place.write('out/old.xml');
  place.write('out/again.xml');
  place.start();
  place.write('out/again.xml', 'new content');
  place.write('out/new.xml');
  place.write('out/copied.xml');
  utimesSync(path.join(place.directory, 'out/copied.xml'), 1, 1);
  const {files, ignored, isDeclared} = place.read();
  assert.deepEqual(files.map((file) => file.path).toSorted(), ['out/again.xml', 'out/new.xml']);
  assert.deepEqual(ignored, [
    'out/copied.xml is from before this check',
    'out/old.xml is from before this check',
  ]);
  assert.equal(isDeclared, true);
});

test('a report that was not written, a link and a file that is too large are named', (t) => {
  const missing = createPlace(t, ['junit.xml']);
  missing.start();
  assert.deepEqual(missing.read().ignored, ['junit.xml was not written']);

  const linked = createPlace(t, ['junit.xml']);
  linked.start();
  symlinkSync('/etc/hostname', path.join(linked.directory, 'junit.xml'));
  assert.deepEqual(linked.read().files, []);
  assert.match(linked.read().ignored.join(), /^junit\.xml .*link/);

  const large = createPlace(t, ['junit.xml']);
  large.start();
  large.write('junit.xml', ' '.repeat(16 * 1024 * 1024 + 1));
  assert.deepEqual(large.read().files, []);
  assert.match(large.read().ignored.join(), /^junit\.xml /);
});

test('usual places are searched without a declaration, and nothing is said about old ones', (t) => {
  const place = createPlace(t);
  place.write('junit.xml');
  place.start();
  place.write('core/target/surefire-reports/TEST-a.xml');
  place.write('build/test-results/test/TEST-b.xml');
  place.write('other/report.xml');
  const {files, ignored} = place.read();
  assert.deepEqual(files.map((file) => file.path).toSorted(), [
    'build/test-results/test/TEST-b.xml',
    'core/target/surefire-reports/TEST-a.xml',
  ]);
  assert.deepEqual(ignored, []);
});

test('the search follows no links, and enters node_modules only where it is named', (t) => {
  const {directory, write} = createPlace(t);
  write('a/b/one.xml');
  write('a/two.xml');
  write('node_modules/x/three.xml');
  write('out/{odd}/four.json');
  symlinkSync('/etc', path.join(directory, 'a', 'etc'));
  const find = (glob: string): readonly string[] => findFiles(directory, [glob]).paths;
  assert.deepEqual(find('**/*.xml'), ['a/b/one.xml', 'a/two.xml']);
  assert.deepEqual(find('a'), ['a/b/one.xml', 'a/two.xml']);
  assert.deepEqual(find('a/*.xml'), ['a/two.xml']);
  assert.deepEqual(find('{a/b,out}/*.xml'), ['a/b/one.xml']);
  assert.deepEqual(find('node_modules/x/*.xml'), ['node_modules/x/three.xml']);
  assert.deepEqual(find('a/etc/hostname'), []);
  for (let index = 0; index < 600; index += 1) write(`many/${index}.xml`);
  assert.equal(findFiles(directory, ['many/*.xml']).paths.length, 500);
  assert.equal(findFiles(directory, ['many/*.xml']).isCut, true);
});
