import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {readLastFrame, writeLastFrame} from '../../../source/cli/app/last-frame.ts';

const env = {TERM: 'xterm-256color'};
const frame = {
  columns: 80,
  rows: 24,
  text: '\u001B[H\u001B[2Jwhat was\u001B[24;1H\u001B[2m as you left it\u001B[m\u001B[K',
};

test('a frame is painted again only on a terminal of its size and colours; nobody else can read it', (context) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-frame-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  assert.equal(readLastFrame(directory, {columns: 80, rows: 24, env}), undefined);
  writeLastFrame(directory, frame, {env});
  assert.deepEqual(readLastFrame(directory, {columns: 80, rows: 24, env}), frame);
  assert.equal(statSync(path.join(directory, 'frame.json')).mode & 0o777, 0o600);
  assert.equal(readLastFrame(directory, {columns: 81, rows: 24, env}), undefined);
  assert.equal(
    readLastFrame(directory, {columns: 80, rows: 24, env: {TERM: 'xterm-256color', NO_COLOR: '1'}}),
    undefined,
  );
});

test('a file that is no frame, or does more than draw, is no frame', (context) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-frame-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  for (const text of [
    '',
    'null',
    '[]',
    '{"text": 5}',
    JSON.stringify({...frame, depth: '256', text: '\u001B]52;c;eA==\u0007'}),
  ]) {
    writeFileSync(path.join(directory, 'frame.json'), text);
    assert.equal(readLastFrame(directory, {columns: 80, rows: 24, env}), undefined, text);
  }

  // Nowhere to keep it is no reason to fail.
  writeLastFrame(path.join(directory, 'absent'), frame, {env});
});
