import {runOnObjects} from '../client/plumbing.ts';
import {readCommit, type Signing} from '../commit/commit-objects.ts';
import {GitFailure} from '../client/create-git.ts';
import type {Workspace} from '../open-workspace.ts';
import {type Landing, makeLanding} from './landing.ts';

type Format = 'openpgp' | 'ssh' | 'x509';

const defaultPrograms: Readonly<Record<Format, string>> = {
  openpgp: 'gpg',
  ssh: 'ssh-keygen',
  x509: 'gpgsm',
};

/**
 * The person's signing key and program, from `git config --global` only. An agent could have
 * written the repository's own configuration, and would choose a program that runs as the person.
 */
export async function readSigning(
  workspace: Workspace,
): Promise<Signing | {readonly rejected: string}> {
  const format = (await readGlobalSetting(workspace, 'gpg.format')) ?? 'openpgp';
  if (!isFormat(format))
    return {
      rejected:
        'expected gpg.format in your own git configuration to be openpgp, ssh or x509, got ' +
        `${JSON.stringify(format)}. Set it: git config --global gpg.format ssh`,
    };
  const key = await readGlobalSetting(workspace, 'user.signingKey');
  const keyCommand = await readGlobalSetting(workspace, 'gpg.ssh.defaultKeyCommand');
  if (format === 'ssh' && key === undefined && keyCommand === undefined) {
    return {
      rejected:
        'there is no key to sign with: "git config --global user.signingKey" is not set ' +
        '(the configuration of the repository does not count). Set it to the file of ' +
        'your public ssh key',
    };
  }

  const program =
    (await readGlobalSetting(workspace, `gpg.${format}.program`)) ??
    (format === 'openpgp' ? await readGlobalSetting(workspace, 'gpg.program') : undefined) ??
    defaultPrograms[format];
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
 * Whether the person signs their commits by default, to warn them about unsigned ones. It is only a
 * warning, so the repository's own configuration counts as well. The settings of our own git calls
 * do not.
 */
export async function signsByDefault({git, root}: Workspace): Promise<boolean> {
  const text = await git(
    root,
    ['config', '--show-scope', '--type=bool', '--get-all', 'commit.gpgSign'],
    {isRead: true},
  ).catch(() => '');
  return (
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('command\t'))
      .at(-1)
      ?.endsWith('\ttrue') === true
  );
}

async function readGlobalSetting(workspace: Workspace, name: string): Promise<string | undefined> {
  try {
    const value = (
      await runOnObjects(workspace, ['config', '--global', '--includes', '--get', name], {
        isRead: true,
      })
    ).replace(/\n$/, '');
    return value === '' ? undefined : value;
  } catch (error) {
    // Exit status 1: the key is not set.
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

function isFormat(text: string): text is Format {
  return Object.hasOwn(defaultPrograms, text);
}

/**
 * Makes the commits with the person's signature. No ref names them until they are accepted, so a
 * failure changes nothing.
 */
export async function signLanding(
  workspace: Workspace,
  landing: Landing,
  signing: Signing,
): Promise<{readonly signed: string} | {readonly rejected: string}> {
  try {
    return {signed: (await makeLanding(workspace, landing, signing)).at(-1) ?? landing.tip};
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return {
      rejected:
        `not signed, and nothing was changed: ${error.message.trim()}. If your key needs a ` +
        'passphrase, accept in a terminal',
    };
  }
}

/**
 * Why the signed commits are not those of the landing; undefined when only signatures were added.
 */
export async function findSignatureProblem(
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
        return `${id.slice(0, 12)} is based on a commit that your branch is no longer at`;
      if (typeof parent === 'number') ids.set(parent, found);
    }

    if (
      theirs.tree !== ours.tree ||
      theirs.message !== ours.message ||
      theirs.author !== ours.author ||
      theirs.committer !== ours.committer
    )
      return `${id.slice(0, 12)} has a different content than the commit to sign`;
  }

  return undefined;
}
