import {readFileSync, readdirSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {EarlierUsage} from '../agents/index.ts';
import type {Usage} from '../domain/index.ts';

/** What a conversation has used before this start, from the agent's own record of it. Nothing when there is none. */
export function readEarlierUsage({directory, fileEnd, read}: EarlierUsage, conversation: string, env: Readonly<Record<string, string | undefined>>): Usage | undefined {
  try {
    const place = directory(env['HOME'] ?? os.homedir(), env);
    const name = readdirSync(place, {recursive: true, encoding: 'utf8'}).findLast((file) => file.endsWith(fileEnd(conversation)));
    return name === undefined ? undefined : read(readFileSync(path.join(place, name), 'utf8'));
  } catch {
    return undefined;
  }
}
