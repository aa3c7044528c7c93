import {chmod, lstat, rm} from 'node:fs/promises';
import path from 'node:path';
import {streamDirectory} from '../../files/index.ts';

/** Deletes a directory that nobody needs. Read-only directories (Go's module cache) are opened first. What cannot go is said, not thrown: nothing is lost by it. */
export async function deleteTree(directory: string): Promise<readonly string[]> {
  try {
    await rm(directory, {recursive: true, force: true, maxRetries: 3});
    return [];
  } catch {
    try {
      await open(directory);
      await rm(directory, {recursive: true, force: true, maxRetries: 3});
      return [];
    } catch (error) {
      return [
        `${directory} could not be deleted (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). It is not needed any more; delete it by hand.`,
      ];
    }
  }
}

async function open(directory: string): Promise<void> {
  if (!(await lstat(directory)).isDirectory()) return;
  await chmod(directory, 0o700);
  for await (const entry of streamDirectory(directory))
    if (entry.kind === 'directory') await open(path.join(directory, entry.name));
}
