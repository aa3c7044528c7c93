import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {namesIn} from '../files/index.ts';
import type {Keep} from './cap-result.ts';

const mostBytes = 512 * 1024 * 1024;

/** Keeps answers as files of a directory, numbered, for us alone. Nothing that is there is written over. */
export function keepIn(directory: string, prefix: string): Keep {
  let kept = 0;
  let number = 0;
  return (ending, content) => {
    if (kept + content.length > mostBytes)
      return `(not kept: this session has kept ${kept} bytes already)`;
    mkdirSync(directory, {recursive: true, mode: 0o700});
    const taken = new Set(namesIn(directory, {maxEntries: 100_000}));
    do number += 1;
    while (taken.has(`${prefix}-${number}${ending}`));
    const file = path.join(directory, `${prefix}-${number}${ending}`);
    writeFileSync(file, content, {mode: 0o600, flag: 'wx'});
    kept += content.length;
    return file;
  };
}
