import type {Workspace} from '../open-workspace.ts';
import {aside} from '../change/aside.ts';
import {identityOf} from './identity-of.ts';

export type CommitParts = {
  readonly parents: readonly string[];
  readonly tree: string;
  readonly message: string;
  readonly at: number;
  /** Somebody else's work, as git stores it: `Name <email> seconds zone`. */
  readonly author?: string;
  readonly signing?: Signing;
};

/** With which key and program, as `-c` takes it: nothing of the repository's own configuration counts. */
export type Signing = {readonly settings: readonly string[]; readonly key: string | null};

/** The same parts make the same commit, however often; a signature is another one every time. */
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
    await aside(workspace, argv, {
      input: message,
      identity: await identityOf(workspace, at),
      ...authorIn(author),
    })
  ).trim();
}

function authorIn(author: string | undefined): {
  readonly author?: {readonly name: string; readonly email: string; readonly date: string};
} {
  const {name, email, seconds, zone} =
    /^(?<name>.*?) ?<(?<email>[^<>]*)> (?<seconds>\d+) (?<zone>[+-]\d{4})$/.exec(author ?? '')
      ?.groups ?? {};
  return name === undefined || email === undefined
    ? {}
    : {author: {name, email, date: `@${seconds} ${zone}`}};
}
