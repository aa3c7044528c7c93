import type {Workspace} from '../open-workspace.ts';
import {runOnObjects} from '../client/plumbing.ts';
import type {GitIdentity} from '../client/create-git.ts';

export type CommitParts = {
  readonly parents: readonly string[];
  readonly tree: string;
  readonly message: string;
  readonly at: number;
  /** The author when it is not the person, as git stores it: `Name <email> seconds zone`. */
  readonly author?: string;
  readonly signing?: Signing;
};

/**
 * Key and program for signing, as `-c` settings, so that the repository's configuration does not
 * count.
 */
export type Signing = {readonly settings: readonly string[]; readonly key: string | null};

/** The same parts make the same commit, except that every signature is different. */
export async function makeCommit(
  workspace: Workspace,
  {parents, tree, message, at, author, signing}: CommitParts,
): Promise<string> {
  const signed = signing === undefined ? [] : [`-S${signing.key ?? ''}`];
  const settings = ['i18n.commitEncoding=UTF-8', ...(signing?.settings ?? [])].flatMap(
    (setting) => ['-c', setting],
  );
  const argv = [
    ...settings,
    'commit-tree',
    ...signed,
    tree,
    ...parents.flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
  ];
  return (
    await runOnObjects(workspace, argv, {
      input: message,
      identity: await readGitIdentity(workspace, at),
      ...parseAuthor(author),
    })
  ).trim();
}

function parseAuthor(author: string | undefined): {
  readonly author?: {readonly name: string; readonly email: string; readonly date: string};
} {
  const {name, email, seconds, zone} =
    /^(?<name>.*?) ?<(?<email>[^<>]*)> (?<seconds>\d+) (?<zone>[+-]\d{4})$/.exec(author ?? '')
      ?.groups ?? {};
  return name === undefined || email === undefined
    ? {}
    : {author: {name, email, date: `@${seconds} ${zone}`}};
}

/** Name and email of the person from git's configuration. */
async function readGitIdentity(workspace: Workspace, at: number): Promise<GitIdentity> {
  const [name, email] = await Promise.all([
    readConfigValue(workspace, 'user.name'),
    readConfigValue(workspace, 'user.email'),
  ]);
  return {name: name ?? 'orchestra', email: email ?? 'orchestra@localhost', at};
}

async function readConfigValue(workspace: Workspace, name: string): Promise<string | undefined> {
  const value = await runOnObjects(workspace, ['config', '--get', name], {isRead: true}).catch(
    () => '',
  );
  const clean = value.replaceAll(/[\u0000-\u001F<>]/g, ' ').trim();
  return clean === '' ? undefined : clean;
}

/** The headers and message of a commit object. */
export type StoredCommit = {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <email> seconds zone`. */
  readonly author: string;
  readonly committer: string;
  readonly isSigned: boolean;
  readonly message: string;
};

export async function readCommit(workspace: Workspace, commit: string): Promise<StoredCommit> {
  const text = await runOnObjects(workspace, ['cat-file', 'commit', commit], {isRead: true});
  const end = text.indexOf('\n\n');
  const headers = (end === -1 ? text : text.slice(0, end)).split('\n');
  const getValues = (name: string): readonly string[] =>
    headers
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  return {
    tree: getValues('tree')[0] ?? '',
    parents: getValues('parent'),
    author: getValues('author')[0] ?? '',
    committer: getValues('committer')[0] ?? '',
    isSigned: getValues('gpgsig').length + getValues('gpgsig-sha256').length > 0,
    message: end === -1 ? '' : text.slice(end + 2),
  };
}

/** Oldest first. */
export async function listCommits(
  workspace: Workspace,
  {
    from,
    to,
    isFirstParent,
  }: {readonly from: string; readonly to: string; readonly isFirstParent: boolean},
): Promise<readonly string[]> {
  const lines = await runOnObjects(
    workspace,
    [
      'rev-list',
      '--topo-order',
      '--reverse',
      ...(isFirstParent ? ['--first-parent'] : []),
      to,
      `^${from}`,
    ],
    {isRead: true},
  );
  return lines.split('\n').filter((line) => line !== '');
}
