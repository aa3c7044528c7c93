import {mkdirSync} from 'node:fs';
import path from 'node:path';
import {writeWhole as write} from '../../files/index.ts';

/** A reader sees the file as it was or as it is now, never a part of it. What an agent put in its place is replaced. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  write(file, text, {isDurable: true});
}
