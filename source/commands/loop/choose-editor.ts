import {execFileSync} from 'node:child_process';
import {findProgram} from '../../machine/index.ts';

export type EditorChoice = {
  /** For a shell, with its options. */
  readonly command: string;
  /** Where it comes from, if the person did not name it in their environment. */
  readonly because?: string;
};

export type EditorSearch = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** No program in here is taken: whoever wrote the repository would choose what runs. */
  readonly outside: string;
};

/** Looked for in this order, where nobody has said which they like. */
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

/** The editor that the person named; else git's, by their own settings and not by those of a repository; else one that is installed. */
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
    // From the root of the file system: no repository has a say.
    const said = execFileSync(file, ['config', '--global', '--get', 'core.editor'], {
      cwd: '/',
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return said === '' ? undefined : said;
  } catch {
    return undefined;
  }
}
