import path from 'node:path';
import type {Purpose, Session} from '../../domain/index.ts';
import {makeDirectories, writeWhole} from '../../files/index.ts';
import {findProgram} from '../../machine/index.ts';
import type {Workshop} from '../workshop.ts';
import {exchangeOf} from './exchange.ts';
import {environmentOf, placeOf, type Launch} from './task-launch.ts';

/** What is printed, and not shown, when a command begins and when the shell takes the next one. */
export const markOf = {
  begin: (nonce: string): string => `\u001B]7770;b;${nonce}\u0007`,
  end: (nonce: string): string => `\u001B]7770;e;${nonce};`,
};

/** Nobody pages through what a program reads. */
const calm = {PAGER: 'cat', GIT_PAGER: 'cat', LESS: '-FRX', HISTFILE: '/dev/null'};

/** A program that stays open in the worktree of a task: a shell, or what an agent names instead. */
export function persistentLaunch(
  workshop: Workshop,
  session: Session,
  {program}: Extract<Purpose, {readonly for: 'shell'}>,
): Launch {
  const {run, worktree} = placeOf(workshop, session);
  const {directory, below} = exchangeOf(workshop, session.id);
  makeDirectories(directory, {below});
  const env = {...environmentOf(workshop, run, worktree), ...calm};
  if (program !== undefined)
    return {argv: ['/usr/bin/env', ...program.split(/\s+/)], cwd: worktree.path, env};
  const start = path.join(directory, 'shell-start');
  const {file: bash} = findProgram('bash', {
    path: workshop.env['PATH'] ?? '',
    outside: workshop.root,
  });
  writeWhole(start, bash === undefined ? plainStart : bashStart, {below});
  return bash === undefined
    ? {argv: ['/bin/sh', '-i'], cwd: worktree.path, env: {...env, ENV: start}}
    : {argv: [bash, '--noprofile', '--rcfile', start, '-i'], cwd: worktree.path, env};
}

/** The end of a command is told where the next one is asked for: there a syntax error or Ctrl-C ends up, too. */
const bashStart = `
unset HISTFILE
bind 'set enable-bracketed-paste off' 2>/dev/null
PS1='\\$ '
PROMPT_COMMAND='printf "\\033]7770;e;%s;%s\\007" "$ORCHESTRA_CALL" "$?"'
`;

const plainStart = `
unset HISTFILE
PS1="$(printf '\\033]7770;e;')"'\${ORCHESTRA_CALL};\${?}'"$(printf '\\007')\\$ "
`;
