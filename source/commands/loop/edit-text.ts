import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {sanitizeText} from '../../base/index.ts';
import {bytesOrThrow, readRegularFile, writeWhole} from '../../files/index.ts';
import {trustedPath} from '../../machine/index.ts';
import {Impossible, repositoryAt} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';
import {chooseEditor, usualEditors} from './choose-editor.ts';

/** What the person makes of a text in their own editor. */
export function editText(
  text: string,
  name: string,
  {env, cwd, isTerminal, err}: Surroundings,
): string {
  if (!isTerminal)
    throw new Impossible(
      'an editor needs a terminal. Without one: orchestra plan edit RUN --file FILE',
    );
  const outside = repositoryAt({cwd, env})?.root ?? cwd;
  const chosen = chooseEditor({env, outside});
  if (chosen === undefined)
    throw new Impossible(
      `expected an editor, but neither VISUAL nor EDITOR is set, git has no core.editor, and none of ${usualEditors.join(', ')} is installed. Set one, for example: export EDITOR=nano. Or without any: orchestra plan edit RUN --file FILE`,
    );
  const {command: editor, because} = chosen;
  if (because !== undefined)
    err(
      `orchestra: neither VISUAL nor EDITOR is set; opening ${sanitizeText(editor)}, ${because}. "export EDITOR=…" chooses another.\n`,
    );
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-plan-'));
  try {
    const file = path.join(directory, name);
    writeWhole(file, text);
    const {status, error} = spawnSync('/bin/sh', ['-c', `${editor} "$0"`, file], {
      stdio: 'inherit',
      env:
        because === undefined
          ? env
          : {...env, PATH: trustedPath({path: env['PATH'] ?? '', outside})},
    });
    if (error !== undefined || status !== 0)
      throw new Impossible(
        status === 127
          ? `the shell finds no editor ${JSON.stringify(editor)}; nothing was changed. Set EDITOR to one that is installed`
          : `the editor ended with ${status ?? 'no status'}; nothing was changed`,
      );
    return bytesOrThrow(
      file,
      readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'}),
    ).toString('utf8');
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}
