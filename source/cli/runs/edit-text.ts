import os from 'node:os';
import path from 'node:path';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {findProgram, trustedPath} from '../../system/index.ts';
import {sanitizeText} from '../../shared/index.ts';
import {bytesOrThrow, readRegularFile, writeFileAtomic} from '../../files/index.ts';
import {repositoryAt, UsageError} from '../repo-paths.ts';
import type {CliContext} from '../cli-context.ts';

export type EditorChoice = {
  /** A shell command, with its options. */
  readonly command: string;
  /** Where the choice comes from, if not from the environment. */
  readonly because?: string;
};

export type EditorSearch = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * No program inside of this directory is used: the author of the repository would choose what
   * runs.
   */
  readonly outside: string;
};

/** Tried in this order if the person chose none. */
export const usualEditors: readonly string[] = [
  'sensible-editor',
  'nano',
  'vim',
  'vi',
  'micro',
  'hx',
  'emacs',
  'ed',
];

/**
 * The editor of the environment; else the one of the person's git configuration, never of a
 * repository's; else one that is installed.
 */
export function chooseEditor({env, outside}: EditorSearch): EditorChoice | undefined {
  const named = [env['VISUAL'], env['EDITOR']].find(
    (command) => command !== undefined && command.trim() !== '',
  );
  if (named !== undefined) return {command: named};
  const search = {path: env['PATH'] ?? '', outside};
  const ofGit = editorOfGit(env, outside);
  if (ofGit !== undefined && findProgram(ofGit.split(/\s+/, 1)[0] ?? '', search).file !== undefined)
    return {command: ofGit, because: 'core.editor of your git settings'};
  const found = usualEditors.find((name) => findProgram(name, search).file !== undefined);
  return found === undefined
    ? undefined
    : {command: found, because: 'the first that is installed here'};
}

function editorOfGit(env: EditorSearch['env'], outside: string): string | undefined {
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside});
  if (file === undefined) return undefined;
  try {
    // Run in the root directory, so that no repository has an influence.
    const output = execFileSync(file, ['config', '--global', '--get', 'core.editor'], {
      cwd: '/',
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return output === '' ? undefined : output;
  } catch {
    return undefined;
  }
}

/** Lets the person edit a text in their editor. */
export function editText(
  text: string,
  name: string,
  {env, cwd, isTerminal, err}: CliContext,
): string {
  if (!isTerminal)
    throw new UsageError(
      'an editor needs a terminal. Without one: orchestra plan edit RUN --file FILE',
    );
  const outside = repositoryAt({cwd, env})?.root ?? cwd;
  const chosen = chooseEditor({env, outside});
  if (chosen === undefined)
    throw new UsageError(
      'expected an editor, but neither VISUAL nor EDITOR is set, git has no core.editor, ' +
        `and none of ${usualEditors.join(', ')} is installed. Set one, for example: export ` +
        'EDITOR=nano. Or without any: orchestra plan edit RUN --file FILE',
    );
  const {command: editor, because} = chosen;
  if (because !== undefined)
    err(
      `orchestra: neither VISUAL nor EDITOR is set; opening ${sanitizeText(editor)}, ` +
        `${because}. "export EDITOR=…" chooses another.\n`,
    );
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-plan-'));
  try {
    const file = path.join(directory, name);
    writeFileAtomic(file, text);
    const {status, error} = spawnSync('/bin/sh', ['-c', `${editor} "$0"`, file], {
      stdio: 'inherit',
      env:
        because === undefined
          ? env
          : {...env, PATH: trustedPath({path: env['PATH'] ?? '', outside})},
    });
    if (error !== undefined || status !== 0)
      throw new UsageError(
        status === 127
          ? `the editor ${JSON.stringify(editor)} was not found; nothing was changed. Set ` +
              'EDITOR to one that is installed'
          : `the editor exited with ${status ?? 'no status'}; nothing was changed`,
      );
    return bytesOrThrow(
      file,
      readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'}),
    ).toString('utf8');
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}
