import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {bytesOrThrow, readRegularFile, writeWhole} from '../../files/index.ts';
import {Impossible} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';

/** What the person makes of a text in their own editor. */
export function editText(text: string, name: string, {env, isTerminal}: Surroundings): string {
  const editor = env['VISUAL'] ?? env['EDITOR'];
  if (!isTerminal) throw new Impossible('an editor needs a terminal. Without one: orchestra plan edit RUN --file FILE');
  if (editor === undefined || editor.trim() === '') throw new Impossible('set EDITOR to the editor that you like, for example: export EDITOR=nano');
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-plan-'));
  try {
    const file = path.join(directory, name);
    writeWhole(file, text);
    const {status, error} = spawnSync('/bin/sh', ['-c', `${editor} "$0"`, file], {stdio: 'inherit', env});
    if (error !== undefined || status !== 0) throw new Impossible(status === 127 ? `the shell finds no editor ${JSON.stringify(editor)}; nothing was changed. Set EDITOR to one that is installed` : `the editor ended with ${status ?? 'no status'}; nothing was changed`);
    return bytesOrThrow(file, readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'})).toString('utf8');
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}
