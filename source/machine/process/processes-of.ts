import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import {findUnproven, type Suspicion} from './find-unproven.ts';
import type {Process} from './process.ts';
import {readCommand} from './read-command.ts';
import {readCookies} from './read-cookies.ts';
import {readProcesses} from './read-processes.ts';
import {type Link, treeOf, type TreeRoot} from './tree-of.ts';

export type Member = Process & {
  readonly found: Link;
  /** The command line, safe to print. */
  readonly command: string;
};

export type Tree = {
  readonly members: readonly Member[];
  readonly unproven: readonly Suspicion[];
};

export type TreeQuestion = TreeRoot & {
  /** The session's directory: who works in it and cannot be proven a member is named. */
  readonly directory?: string | undefined;
};

/** All living processes of a session. */
export async function processesOf(question: TreeQuestion, kernel: Kernel): Promise<Fact<Tree>> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) return all;
  const cookies = await readCookies(all.value, kernel);
  const linked = treeOf(question, all.value, cookies);
  const members = linked.map(({process, found}) => ({
    ...process,
    found,
    command: readCommand(process, kernel),
  }));
  const unproven = findUnproven(
    {...question, members: linked, processes: all.value, cookies},
    kernel,
  );
  return {...all, value: {members, unproven}};
}
