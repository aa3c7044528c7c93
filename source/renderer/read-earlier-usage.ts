import os from 'node:os';
import path from 'node:path';
import type {EarlierUsage} from '../agents/index.ts';
import type {Usage} from '../domain/index.ts';
import {tryReadText, walkTree} from '../files/index.ts';

/** An agent's records of all conversations, and the record of a long one. */
const bounds = {maxEntries: 200_000, maxDepth: 8, maxBytes: 256 * 1024 * 1024};

/** What a conversation has used before this start, from the agent's own record of it. Nothing when there is none. */
export function readEarlierUsage({directory, fileEnd, read}: EarlierUsage, conversation: string, env: Readonly<Record<string, string | undefined>>): Usage | undefined {
  try {
    const place = directory(env['HOME'] ?? os.homedir(), env);
    const entry = walkTree(place, bounds).findLast(({name, kind}) => kind === 'file' && name.endsWith(fileEnd(conversation)));
    const text = entry === undefined ? undefined : tryReadText(path.join(place, entry.name), {maxBytes: bounds.maxBytes, below: place});
    return text === undefined ? undefined : read(text);
  } catch {
    return undefined;
  }
}
