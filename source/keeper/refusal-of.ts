import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Launch} from '../protocol/index.ts';

export type StartRefusal = {readonly code: number; readonly text: string};

/**
 * Why a program can't be started, with the exit code that a shell gives: 127 not found, 126 found but not to be run.
 * It is asked before, because node-pty's child ends with 1 in both cases. An interpreter (`#!`) that is missing shows
 * itself only in there, and ends with 1.
 */
export function refusalOf({
  argv: [command = ''],
  cwd,
  env,
}: Pick<Launch, 'argv' | 'cwd' | 'env'>): StartRefusal | undefined {
  if (statSync(cwd, {throwIfNoEntry: false})?.isDirectory() !== true)
    return {code: 126, text: `${cwd}: not a directory`};
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? '/bin:/usr/bin').split(':');
  const found = folders
    .map((folder) => resolve(cwd, folder, command))
    .filter((file) => existsSync(file));
  if (command === '' || found.length === 0)
    return {code: 127, text: `${command}: command not found`};
  return found.some(isExecutable) ? undefined : {code: 126, text: `${command}: permission denied`};
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
