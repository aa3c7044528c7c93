import path from 'node:path';
import {existsSync} from 'node:fs';
import {readRegularFile} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {formatGitPath, toShortHash} from './fingerprint.ts';

export type GuardedConfig = {
  /** `.git/config: core.fsmonitor` → fingerprint of its values. */
  readonly entries: Readonly<Record<string, string>>;
  /** Paths in the configuration: hook directories, attribute files and included files. */
  readonly hooks: readonly string[];
  readonly attributes: readonly string[];
  readonly included: readonly string[];
};

/**
 * Settings that neither run nor hide anything, and that people and tools change often. Everything
 * else is guarded: a list of dangerous settings would be out of date with the next release of git.
 */
const harmless = [
  /^branch\..*\.(?:remote|merge|rebase|pushremote|description|vscode-merge-base|gk-.*|github-pr-.*)$/s,
  /^(?:user|author|committer|color|advice|column|log|push|pull|status|stash|rerere|gui|blame|grep|feature|versionsort|tag|tar|apply|i18n|index|pack|transfer|repack|rebase)\.[^.]*$/,
  /^remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall|gh-resolved|promisor|partialclonefilter)$/s,
  /^remote\.pushdefault$/,
  /^core\.(?:repositoryformatversion|filemode|logallrefupdates|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|abbrev|quotepath|symlinks|sparsecheckout|sparsecheckoutcone|compression|bigfilethreshold|untrackedcache|preloadindex|commitgraph|multipackindex|longpaths|whitespace|commentchar)$/,
  /^(?:init\.defaultbranch|help\.autocorrect)$/,
  /^submodule\..*\.(?:url|active|branch)$/s,
  /^diff\.(?:algorithm|colormoved|colormovedws|renames|mnemonicprefix|noprefix|context|interhunkcontext|indentheuristic|wordregex|submodule|statgraphwidth|relative)$/,
  /^merge\.(?:conflictstyle|ff|renames|stat|log|autostash|directoryrenames|renamelimit)$/,
  /^fetch\.(?:prune|prunetags|parallel|writecommitgraph|output)$/,
  /^commit\.(?:template|verbose|status|cleanup)$/,
  /^(?:lfs\.repositoryformatversion|lfs\..*\.access)$/s,
];

export async function readConfig(
  workspace: Workspace,
  admins: readonly string[],
): Promise<GuardedConfig> {
  const {root, commonDirectory} = workspace;
  const found: Setting[] = [];
  const entries: Record<string, string> = {};
  const read = async (argv: readonly string[], file: string): Promise<void> => {
    try {
      found.push(
        ...parseSettings(
          await workspace.git(
            root,
            ['config', ...argv, '--includes', '--list', '-z', '--show-origin'],
            {isRead: true},
          ),
          root,
        ),
      );
    } catch {
      // Git rejects a file that it cannot parse; its hash still tells whether it changed.
      const reading = readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'});
      const problem = reading.at === 'refused' && reading.why === 'missing' ? 'absent' : undefined;
      entries[`${formatGitPath(workspace, file)}: unreadable`] =
        reading.at === 'read' ? toShortHash(reading.bytes) : (problem ?? reading.why);
    }
  };

  await read([], path.join(commonDirectory, 'config'));
  for (const directory of [commonDirectory, ...admins]) {
    const file = path.join(directory, 'config.worktree');
    if (existsSync(file) && !found.some((setting) => setting.file === file))
      await read(['--file', file], file);
  }

  const values = new Map<string, string[]>();
  for (const {file, key, value} of found) {
    if (harmless.some((pattern) => pattern.test(key))) continue;
    const name = `${formatGitPath(workspace, file)}: ${key}`;
    values.set(name, [...(values.get(name) ?? []), value]);
  }

  for (const [name, all] of values) entries[name] = toShortHash(all.join('\0'));
  const getPaths = (pattern: RegExp, from: (file: string) => string): readonly string[] => [
    ...new Set(
      found
        .filter(({key}) => pattern.test(key))
        .map(({file, value}) => resolveHome(workspace, value, from(file))),
    ),
  ];
  return {
    entries,
    hooks: getPaths(/^core\.hookspath$/, () => root),
    attributes: getPaths(/^core\.attributesfile$/, () => root),
    included: getPaths(/^include(?:if\..*)?\.path$/s, (file) => path.dirname(file)),
  };
}

type Setting = {readonly file: string; readonly key: string; readonly value: string};

/**
 * Parses `file:.git/config NUL core.bare LF false NUL …`. Settings of our own call have another
 * origin.
 */
function parseSettings(text: string, root: string): readonly Setting[] {
  const parts = text.split('\0');
  const settings: Setting[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [origin = '', pair = ''] = [parts[index], parts[index + 1]];
    if (!origin.startsWith('file:')) continue;
    const end = pair.indexOf('\n');
    settings.push({
      file: path.resolve(root, origin.slice('file:'.length)),
      key: end === -1 ? pair : pair.slice(0, end),
      value: end === -1 ? '' : pair.slice(end + 1),
    });
  }

  return settings;
}

function resolveHome({home}: Workspace, value: string, from: string): string {
  return value.startsWith('~/') && home !== null
    ? path.join(home, value.slice(2))
    : path.resolve(from, value);
}
