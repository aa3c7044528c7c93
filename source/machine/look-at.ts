import {codeOf} from './code-of.ts';

/** `gone`: it ended while we looked, which is ordinary. `denied`: the kernel does not tell us. */
export type Looked<T> = {readonly value: T} | {readonly missing: 'gone' | 'denied'};

export function lookAt<T>(read: () => T): Looked<T> {
  try {
    return {value: read()};
  } catch (error) {
    return {missing: ['ENOENT', 'ESRCH', 'ENOTDIR'].includes(codeOf(error)) ? 'gone' : 'denied'};
  }
}

export function valueOf<T>(looked: Looked<T>): T | undefined {
  return 'value' in looked ? looked.value : undefined;
}
