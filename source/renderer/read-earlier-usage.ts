import os from 'node:os';
import path from 'node:path';
import type {EarlierUsage} from '../agents/index.ts';
import type {Usage} from '../domain/index.ts';
import {tryReadText, walkTree} from '../files/index.ts';

/** An agent's records of all conversations, and the record of a long one. */
const bounds = {maxEntries: 200_000, maxDepth: 8, maxBytes: 256 * 1024 * 1024};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads what a conversation has used so far from the agent's own record of it. Where that lies is looked for until it is found. Nothing when there is none. */
export function createUsageRecord(
  {directory, fileEnd, read}: EarlierUsage,
  env: Environment,
): (conversation: string) => Usage | undefined {
  const place = directory(env['HOME'] ?? os.homedir(), env);
  let found: {readonly conversation: string; readonly file: string} | undefined;
  return (conversation) => {
    try {
      if (found?.conversation !== conversation) {
        const entry = walkTree(place, bounds).findLast(
          ({name, kind}) => kind === 'file' && name.endsWith(fileEnd(conversation)),
        );
        found =
          entry === undefined ? undefined : {conversation, file: path.join(place, entry.name)};
      }

      const text =
        found === undefined
          ? undefined
          : tryReadText(found.file, {maxBytes: bounds.maxBytes, below: place});
      return text === undefined ? undefined : read(text);
    } catch {
      return undefined;
    }
  };
}
