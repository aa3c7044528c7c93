import {lstatSync, realpathSync, statSync} from 'node:fs';
import path from 'node:path';
import {lookAt, valueOf} from './look-at.ts';

/** What stands at a path, and its name without any links; of what is not there, the name that it would have. */
export function lookAtPath(name: string): {
  readonly kind: 'directory' | 'file' | 'link' | 'missing';
  readonly real: string;
} {
  const real = realPathOf(name);
  if (real !== undefined)
    return {
      kind: statSync(real, {throwIfNoEntry: false})?.isDirectory() === true ? 'directory' : 'file',
      real,
    };
  const isLink = valueOf(lookAt(() => lstatSync(name).isSymbolicLink()));
  return {
    kind: isLink === true ? 'link' : 'missing',
    real: path.join(realParentOf(name), path.basename(name)),
  };
}

function realParentOf(name: string): string {
  const parent = path.dirname(name);
  return parent === name
    ? name
    : (realPathOf(parent) ?? path.join(realParentOf(parent), path.basename(parent)));
}

function realPathOf(name: string): string | undefined {
  return valueOf(lookAt(() => realpathSync(name)));
}
