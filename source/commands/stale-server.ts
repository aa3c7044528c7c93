import path from 'node:path';
import {newestChange} from '../machine/index.ts';
import {findCheckout} from '../settings/index.ts';

/** Reasons not to trust what a server shows, though it answers. */
export type Staleness =
  | {readonly kind: 'another-worktree'; readonly directory: string}
  | {readonly kind: 'older-than-its-code'; readonly file: string; readonly changedAt: number};

/** A server of another worktree serves another branch; one that is older than its code may serve what is no longer there. */
export function stalenessOf(
  owner: {readonly directory?: string; readonly since: number},
  root: string,
): Staleness[] {
  const {directory, since} = owner;
  if (directory === undefined) return [];
  const checkout = findCheckout(directory);
  const newest = newestChange(directory);
  return [
    ...(checkout === undefined || checkout === root
      ? []
      : [{kind: 'another-worktree' as const, directory: checkout}]),
    ...(newest === undefined || newest.at <= since
      ? []
      : [
          {
            kind: 'older-than-its-code' as const,
            file: path.relative(directory, newest.file),
            changedAt: newest.at,
          },
        ]),
  ];
}
