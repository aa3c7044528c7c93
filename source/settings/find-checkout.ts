import {existsSync} from 'node:fs';
import path from 'node:path';

/** The nearest directory upwards that has a `.git`. Found without git: it is known before any program is run. */
export function findCheckout(from: string): string | undefined {
  if (existsSync(path.join(from, '.git'))) return from;
  const parent = path.dirname(from);
  return parent === from ? undefined : findCheckout(parent);
}
