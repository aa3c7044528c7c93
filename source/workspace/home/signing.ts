import {aside} from '../change/aside.ts';
import type {Signing} from '../commit/make-commit.ts';
import {readCommit} from '../commit/read-commit.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {makeLanding, type Landing} from './landing.ts';

type Format = 'openpgp' | 'ssh' | 'x509';

const usualPrograms: Readonly<Record<Format, string>> = {
  openpgp: 'gpg',
  ssh: 'ssh-keygen',
  x509: 'gpgsm',
};

/**
 * The person's key and program, from what holds for all their repositories (`git config --global`). What stands in the repository's own
 * configuration an agent could have written: it would choose a program that runs as the person.
 */
export async function signingOf(
  workspace: Workspace,
): Promise<Signing | {readonly refused: string}> {
  const format = (await ownSetting(workspace, 'gpg.format')) ?? 'openpgp';
  if (!isFormat(format))
    return {
      refused: `expected gpg.format in your own git configuration to be openpgp, ssh or x509, got ${JSON.stringify(format)}. Set it: git config --global gpg.format ssh`,
    };
  const key = await ownSetting(workspace, 'user.signingKey');
  const keyCommand = await ownSetting(workspace, 'gpg.ssh.defaultKeyCommand');
  if (format === 'ssh' && key === undefined && keyCommand === undefined) {
    return {
      refused:
        'there is no key to sign with: "git config --global user.signingKey" is not set (what a repository says by itself does not count). Set it to the file of your public ssh key',
    };
  }

  const program =
    (await ownSetting(workspace, `gpg.${format}.program`)) ??
    (format === 'openpgp' ? await ownSetting(workspace, 'gpg.program') : undefined) ??
    usualPrograms[format];
  return {
    key: key ?? null,
    settings: [
      `gpg.format=${format}`,
      `gpg.${format}.program=${program}`,
      ...(format === 'openpgp' ? [`gpg.program=${program}`] : []),
      ...(key === undefined ? [] : [`user.signingKey=${key}`]),
      ...(format === 'ssh' && keyCommand !== undefined
        ? [`gpg.ssh.defaultKeyCommand=${keyCommand}`]
        : []),
    ],
  };
}

/**
 * Whether the person signs what they commit themselves: then they are told when something of theirs is not. It is only told, so what the
 * repository's own settings say counts as well. What git is called with by us says nothing.
 */
export async function signsByHabit({git, root}: Workspace): Promise<boolean> {
  const said = await git(
    root,
    ['config', '--show-scope', '--type=bool', '--get-all', 'commit.gpgSign'],
    {isRead: true},
  ).catch(() => '');
  return (
    said
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('command\t'))
      .at(-1)
      ?.endsWith('\ttrue') === true
  );
}

async function ownSetting(workspace: Workspace, name: string): Promise<string | undefined> {
  try {
    const value = (
      await aside(workspace, ['config', '--global', '--includes', '--get', name], {isRead: true})
    ).replace(/\n$/, '');
    return value === '' ? undefined : value;
  } catch (error) {
    // 1 says that there is none.
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

function isFormat(text: string): text is Format {
  return Object.hasOwn(usualPrograms, text);
}

/** Makes the commits with the person's signature. Nothing names them until they are accepted: where it fails, nothing has changed. */
export async function signLanding(
  workspace: Workspace,
  landing: Landing,
  signing: Signing,
): Promise<{readonly signed: string} | {readonly refused: string}> {
  try {
    return {signed: (await makeLanding(workspace, landing, signing)).at(-1) ?? landing.tip};
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return {
      refused: `not signed, and nothing was changed: ${error.message.trim()}. Where your key needs a passphrase, do it in a terminal of your own`,
    };
  }
}

/** Whether these are the commits that were to be signed, with nothing else changed; else what is wrong. */
export async function wrongSignature(
  workspace: Workspace,
  landing: Landing,
  signed: string,
): Promise<string | undefined> {
  const plain = await makeLanding(workspace, landing);
  const ids = new Map<number, string>([[landing.steps.length - 1, signed]]);
  for (let index = landing.steps.length - 1; index >= 0; index--) {
    const [id, own, step] = [ids.get(index), plain[index], landing.steps[index]];
    if (id === undefined || own === undefined || step === undefined) return 'a commit is missing';
    const [theirs, ours] = [await readCommit(workspace, id), await readCommit(workspace, own)];
    if (!theirs.isSigned) return `${id.slice(0, 12)} has no signature`;
    if (theirs.parents.length !== step.parents.length)
      return `${id.slice(0, 12)} has other parents`;
    for (const [at, parent] of step.parents.entries()) {
      const found = theirs.parents[at] ?? '';
      if (typeof parent === 'string' ? parent !== found : (ids.get(parent) ?? found) !== found)
        return `${id.slice(0, 12)} stands on another commit than your branch has now`;
      if (typeof parent === 'number') ids.set(parent, found);
    }

    if (
      theirs.tree !== ours.tree ||
      theirs.message !== ours.message ||
      theirs.author !== ours.author ||
      theirs.committer !== ours.committer
    )
      return `${id.slice(0, 12)} says something else than what was to be signed`;
  }

  return undefined;
}
