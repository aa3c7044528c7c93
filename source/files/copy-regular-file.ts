import {constants, copyFileSync, rmSync} from 'node:fs';
import {withRegularFile, type ReadOptions} from './read-regular-file.ts';
import type {FileRefusal} from './refusal.ts';

export type CopyOptions = ReadOptions & {
  /** Of `copyFileSync`. */
  readonly flags?: number;
};

/**
 * Copies a regular file in the kernel, so that blocks can be shared. What stood at the new name is replaced and never
 * written through. Gives why it was not copied; throws when the copy cannot be written.
 */
export function copyRegularFile(
  from: string,
  to: string,
  {flags = 0, ...options}: CopyOptions,
): {readonly at: 'copied'} | FileRefusal {
  let failure: {readonly error: unknown} | undefined;
  const result = withRegularFile(from, options, (opened) => {
    try {
      rmSync(to, {force: true});
      // The very file that was looked at, also when another one has its name by now.
      copyFileSync(
        process.platform === 'linux' ? `/proc/self/fd/${opened}` : from,
        to,
        flags | exclusive,
      );
    } catch (error) {
      failure = {error};
    }

    return {at: 'copied'} as const;
  });
  if (failure !== undefined) throw failure.error;
  return result;
}

/** COPYFILE_EXCL: a link that is put there at this moment is not followed either. */
const exclusive = constants.COPYFILE_EXCL;
