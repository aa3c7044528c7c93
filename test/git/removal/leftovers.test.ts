import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {sweepUnfinished} from '../../../source/git/index.ts';

test('what a killed daemon had under its hands goes, and nothing else', (t) => {
  const own = mkdtempSync(path.join(os.tmpdir(), 'orchestra-sweep-'));
  t.after(() => {
    rmSync(own, {recursive: true, force: true});
  });
  sweepUnfinished({private: own}, Date.now());
  const retained = [
    'index/r1-t1',
    'index/none',
    'kept/r1-t1.0badcafe',
    'patterns',
    'worktrees/r1-t1.json',
  ];
  const gone = [
    'index/r1-plan.0badcafe',
    'index/r1-plan.0badcafe.lock',
    'index/staged.12345678',
    'index/r1-t1.tmp',
    'indexes/0123456789abcdef',
    'indexes/0123456789abcdef.lock',
    'patterns-0badcafe',
  ];
  const young = 'index/r1-t2.0badcafe';
  for (const name of [...retained, ...gone, young]) {
    mkdirSync(path.dirname(path.join(own, name)), {recursive: true});
    writeFileSync(path.join(own, name), '');
    if (name !== young) utimesSync(path.join(own, name), 1000, 1000);
  }

  sweepUnfinished({private: own}, 2_000_000);
  assert.deepEqual(
    readdirSync(own, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map(({parentPath, name}) => path.relative(own, path.join(parentPath, name)))
      .toSorted(),
    [...retained, young].toSorted(),
  );
});
