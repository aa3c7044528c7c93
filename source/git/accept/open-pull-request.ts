import {execa} from 'execa';
import {sanitizeText, shellWord} from '../../shared/index.ts';
import type {Workspace} from '../open-workspace.ts';

export type PullRequestOptions = {
  /** The run's branch, and the branch that the pull request targets. */
  readonly branch: string;
  readonly into: string;
  readonly title: string;
  readonly body: string;
  readonly remote: string;
  /** The person allowed the push: nothing leaves this machine without it. */
  readonly push: boolean;
  /** Found outside the repository; `gh` null when it is not installed. */
  readonly programs: {readonly git: string; readonly gh: string | null};
  readonly env: Readonly<Record<string, string>>;
};

export type PullRequest =
  {readonly url: string; readonly isNew: boolean} | {readonly rejected: string};

const timeout = 120_000;

/**
 * Opens a pull request, or returns the existing one, so that a repeated call is safe. Never forces
 * a push.
 */
export async function openPullRequest(
  workspace: Workspace,
  options: PullRequestOptions,
): Promise<PullRequest> {
  const {
    branch,
    remote,
    push,
    programs: {git, gh},
    body,
  } = options;
  const byHand = `git push ${shellWord(remote)} ${shellWord(branch)}`;
  if (gh === null)
    return {
      rejected:
        `gh is not installed. Push the branch (${byHand}) and open the pull request in ` +
        'your browser, or install gh (https://cli.github.com).',
    };
  const run = (program: string, argv: readonly string[], input = ''): Promise<ProgramResult> =>
    runProgram(program, argv, {cwd: workspace.root, env: options.env, input});
  if (push) {
    const pushed = await run(git, getPushArgv(options));
    if (!pushed.isOk)
      return {
        rejected: `git push failed: ${pushed.text} Repair the cause, then try again: ${byHand}`,
      };
  }

  const known = await run(gh, getListArgv(options));
  const url = known.isOk ? findUrl(known.out) : undefined;
  if (url !== undefined) return {url, isNew: false};
  const made = await run(gh, getCreateArgv(options), body);
  const at = findUrl(made.out);
  if (made.isOk && at !== undefined) return {url: at, isNew: true};
  return {
    rejected:
      `gh could not open the pull request: ${made.text} ` +
      `${push ? 'The branch is pushed' : `The branch was not pushed (${byHand})`}; "gh ` +
      'auth status" shows your account.',
  };
}

export function getPushArgv({
  remote,
  branch,
}: Pick<PullRequestOptions, 'remote' | 'branch'>): readonly string[] {
  return ['push', '--no-progress', '--', remote, `refs/heads/${branch}:refs/heads/${branch}`];
}

export function getListArgv({
  branch,
  into,
}: Pick<PullRequestOptions, 'branch' | 'into'>): readonly string[] {
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

/** Uses `--option=value`, so that a title may begin with a dash. */
export function getCreateArgv({
  branch,
  into,
  title,
}: Pick<PullRequestOptions, 'branch' | 'into' | 'title'>): readonly string[] {
  return [
    'pr',
    'create',
    `--head=${branch}`,
    `--base=${into}`,
    `--title=${sanitizeText(title.replaceAll(/\s+/g, ' ')).trim()}`,
    '--body-file=-',
  ];
}

type ProgramResult = {readonly isOk: boolean; readonly out: string; readonly text: string};

async function runProgram(
  program: string,
  argv: readonly string[],
  {
    cwd,
    env,
    input,
  }: {readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input: string},
): Promise<ProgramResult> {
  const {failed, stdout, stderr, shortMessage} = await execa(program, argv, {
    cwd,
    env: {...env, GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1'},
    extendEnv: false,
    input,
    timeout,
    reject: false,
    maxBuffer: 1_000_000,
  });
  const text =
    sanitizeText(`${stderr}\n${stdout}`)
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ??
    (shortMessage === undefined ? 'it printed nothing' : sanitizeText(shortMessage));
  return {isOk: !failed, out: stdout, text: /[.!?]$/.test(text) ? text : `${text}.`};
}

function findUrl(text: string): string | undefined {
  return /https?:\/\/[\w.:-]+\/[\w./-]+/.exec(text)?.[0];
}
