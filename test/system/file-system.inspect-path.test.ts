import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {inspectPath} from '../../source/system/index.ts';
import {temporaryDirectory} from './fixtures.ts';

test('what stands at a path, and its name without links', (t) => {
  const root = temporaryDirectory(t);
  const at = (name: string): string => path.join(root, name);
  mkdirSync(at('directory'));
  writeFileSync(at('directory/file'), '');
  symlinkSync(at('directory'), at('link'));
  symlinkSync(at('nowhere'), at('dangling'));
  for (const [name, kind, real] of [
    ['directory', 'directory', 'directory'],
    ['directory/file', 'file', 'directory/file'],
    ['link', 'directory', 'directory'],
    ['link/file', 'file', 'directory/file'],
    ['link/missing/deeper', 'missing', 'directory/missing/deeper'],
    ['dangling', 'link', 'dangling'],
    ['directory/file/below', 'missing', 'directory/file/below'],
  ] as const) {
    assert.deepEqual(inspectPath(at(name)), {kind, real: at(real)}, name);
  }

  assert.deepEqual(inspectPath('/'), {kind: 'directory', real: '/'});
});
