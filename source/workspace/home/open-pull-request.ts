import {execa} from 'execa';
import {sanitizeText} from '../../base/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {quoted} from './words.ts';

export type PullRequestWish = {
  /** The run's branch, and the branch that it is to go into. */
  readonly branch: string;
  readonly into: string;
  readonly title: string;
  readonly body: string;
  readonly remote: string;
  /** Nothing leaves this machine without the person's word. */
  readonly push: boolean;
  /** Found outside the repository; `gh` null when it is not installed. */
  readonly programs: {readonly git: string; readonly gh: string | null};
  readonly env: Readonly<Record<string, string>>;
};

export type PullRequest =
  {readonly url: string; readonly isNew: boolean} | {readonly refused: string};

const timeout = 120_000;

/** Asks first whether there is one already: doing it again gives the same. Never forces a push. */
export async function openPullRequest(
  workspace: Workspace,
  wish: PullRequestWish,
): Promise<PullRequest> {
  const {
    branch,
    remote,
    push,
    programs: {git, gh},
    body,
  } = wish;
  const byHand = `git push ${quoted(remote)} ${quoted(branch)}`;
  if (gh === null)
    return {
      refused: `gh is not installed. Push the branch (${byHand}) and open the pull request in your browser, or install gh (https://cli.github.com).`,
    };
  const run = (program: string, argv: readonly string[], input = ''): Promise<Ended> =>
    runProgram(program, argv, {cwd: workspace.root, env: wish.env, input});
  if (push) {
    const pushed = await run(git, pushArgvOf(wish));
    if (!pushed.isOk)
      return {
        refused: `git push failed: ${pushed.words} Put it right, then do it again: ${byHand}`,
      };
  }

  const known = await run(gh, knownArgvOf(wish));
  const url = known.isOk ? urlIn(known.out) : undefined;
  if (url !== undefined) return {url, isNew: false};
  const made = await run(gh, createArgvOf(wish), body);
  const at = urlIn(made.out);
  if (made.isOk && at !== undefined) return {url: at, isNew: true};
  return {
    refused: `gh could not open the pull request: ${made.words} ${push ? 'The branch is pushed' : `The branch was not pushed by this (${byHand})`}; "gh auth status" shows who you are to it.`,
  };
}

export function pushArgvOf({
  remote,
  branch,
}: Pick<PullRequestWish, 'remote' | 'branch'>): readonly string[] {
  return ['push', '--no-progress', '--', remote, `refs/heads/${branch}:refs/heads/${branch}`];
}

export function knownArgvOf({
  branch,
  into,
}: Pick<PullRequestWish, 'branch' | 'into'>): readonly string[] {
  return [
    'pr',
    'list',
    `--head=${branch}`,
    `--base=${into}`,
    '--state=open',
    '--limit=1',
    '--json=url',
  ];
}

/** Values are glued to their options: a title that begins with a dash is a title. */
export function createArgvOf({
  branch,
  into,
  title,
}: Pick<PullRequestWish, 'branch' | 'into' | 'title'>): readonly string[] {
  return [
    'pr',
    'create',
    `--head=${branch}`,
    `--base=${into}`,
    `--title=${sanitizeText(title.replaceAll(/\s+/g, ' ')).trim()}`,
    '--body-file=-',
  ];
}

type Ended = {readonly isOk: boolean; readonly out: string; readonly words: string};

async function runProgram(
  program: string,
  argv: readonly string[],
  {
    cwd,
    env,
    input,
  }: {readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input: string},
): Promise<Ended> {
  const {failed, stdout, stderr, shortMessage} = await execa(program, argv, {
    cwd,
    env: {...env, GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1'},
    extendEnv: false,
    input,
    timeout,
    reject: false,
    maxBuffer: 1_000_000,
  });
  const words =
    sanitizeText(`${stderr}\n${stdout}`)
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ??
    (shortMessage === undefined ? 'it said nothing' : sanitizeText(shortMessage));
  return {isOk: !failed, out: stdout, words: /[.!?]$/.test(words) ? words : `${words}.`};
}

function urlIn(text: string): string | undefined {
  return /https?:\/\/[\w.:-]+\/[\w./-]+/.exec(text)?.[0];
}
