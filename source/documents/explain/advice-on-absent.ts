import type {Need} from '../../domain/index.ts';
import type {AttemptRecord} from '../summary/attempt-record.ts';
import {codeWords} from '../summary/plain-words.ts';

/** How runtimes and shells say that a package or a program of one is not there. */
const missing = [
  /cannot find (?:module|package)/i,
  /(?:ERR_)?MODULE_NOT_FOUND/,
  /no module named/i,
  /ModuleNotFoundError/,
  /(?:command )?not found/i,
  /cannot load such file/i,
  /could not resolve/i,
  /failed opening required .*autoload/i,
  /no such file or directory/i,
  /ENOENT/,
  /is not recognized as/i,
  /cannot find type definition/i,
  /unresolved import/i,
  /cannot be resolved/i,
];

/** A check that is red because dependencies were never brought into the worktree says nothing about the change. */
export function adviceOnAbsent(
  absent: readonly string[],
  needs: readonly Need[],
  records: readonly AttemptRecord[],
): string[] {
  if (absent.length === 0) return [];
  const isBroken = needs.some(
    (need) => need.kind === 'trouble' && need.why.kind === 'broken-check',
  );
  const failures = records.flatMap(({failure}) =>
    failure?.kind === 'check' ? [failure.firstFailure] : [],
  );
  if (!isBroken && !failures.some((text) => missing.some((pattern) => pattern.test(text))))
    return [];
  const names = absent
    .slice(0, 3)
    .map((name) => codeWords(name))
    .join(', ');
  const [only, ...others] = absent;
  return [
    '',
    `${names}${absent.length > 3 ? ` and ${absent.length - 3} more` : ''} ${others.length === 0 ? 'is' : 'are'} in your checkout and not in this worktree, because git ignores ${others.length === 0 ? 'it' : 'them'}. Give it to every task, then go on: ${codeWords(`orchestra share ${others.length === 0 ? (only ?? '') : '--detected'}`)}`,
  ];
}
