import path from 'node:path';
import {formatPort} from '../reports/index.ts';
import type {SessionId} from '../domain/index.ts';
import {namesIn, tryReadText} from '../files/index.ts';
import {
  explainPort,
  findNewestChange,
  getKernel,
  type SessionRoot,
  trustedPath,
} from '../system/index.ts';
import {parseMeta, sessionFiles} from '../protocol/index.ts';
import {resolveRepoPaths, UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {findCheckout} from '../config/index.ts';

/** Shows which process or session listens on a port, from the kernel. It needs no daemon. */
export async function port(
  text: string,
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new UsageError(`expected a port from 1 to 65535, got ${JSON.stringify(text)}`);
  const repoPaths = resolveRepoPaths(cli);
  const kernel = getKernel({
    path: trustedPath({path: cli.env['PATH'] ?? '', outside: repoPaths.root}),
    now: Date.now,
  });
  const answer = await explainPort(
    number,
    readSessionRoots(path.join(repoPaths.stateDirectory, 'sessions')),
    kernel,
  );
  const stale = answer.owner === undefined ? [] : findStaleness(answer.owner, repoPaths.root);
  cli.out(
    options.json === true
      ? `${JSON.stringify({...answer, stale})}\n`
      : formatPort({...answer, stale}, Date.now()),
  );
  return answer.verdict === 'yes' ? 0 : 1;
}

/** All sessions that ever had a keeper here, from the files of their keepers. */
function readSessionRoots(directory: string): SessionRoot[] {
  return namesIn(directory, {maxEntries: 1_000_000}).flatMap((name): SessionRoot[] => {
    try {
      const reading = parseMeta(
        JSON.parse(
          tryReadText(path.join(directory, name, sessionFiles.meta), {maxBytes: 1024 * 1024}) ?? '',
        ),
      );
      if (!('fields' in reading)) return [];
      const {session, cookie, child, bootId} = reading.fields;
      const root =
        child === undefined || child.startTime === null || bootId === null
          ? {}
          : {root: {pid: child.pid, startTime: child.startTime, bootId}};
      return [{id: session as SessionId, cookie, ...root}];
    } catch {
      return [];
    }
  });
}

/** Reasons why a running server may show outdated content. */
export type Staleness =
  | {readonly kind: 'another-worktree'; readonly directory: string}
  | {readonly kind: 'older-than-its-code'; readonly file: string; readonly changedAt: number};

/**
 * A server of another worktree serves another branch; one that is older than its code may serve old
 * code.
 */
export function findStaleness(
  owner: {readonly directory?: string; readonly since: number},
  root: string,
): Staleness[] {
  const {directory, since} = owner;
  if (directory === undefined) return [];
  const checkout = findCheckout(directory);
  const newest = findNewestChange(directory);
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
