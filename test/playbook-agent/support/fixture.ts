import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type {TestContext} from 'node:test';
import {type AgentOutcome, parseOutcomeFile} from '../../../source/agents/index.ts';
import {type PlaybookOptions, runPlaybook} from '../../../source/playbook-agent/index.ts';

/**
 * A worktree of a real repository, a playbook and a place for the outcome. Gone when the test is
 * over.
 */
export type Fixture = {
  readonly directory: string;
  readonly playbook: string;
  readonly outcomeFile: string;
  readonly repository: string;
};

export function createFixture(
  t: TestContext,
  playbook: string,
  files: Readonly<Record<string, string>> = {},
): Fixture {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-test-')));
  t.after(() => {
    rmSync(base, {recursive: true, force: true});
  });
  const repository = path.join(base, 'repository');
  const directory = path.join(base, 'worktree');
  mkdirSync(repository);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(repository, name)), {recursive: true});
    writeFileSync(path.join(repository, name), text);
  }

  git(repository, 'init', '--quiet');
  git(repository, 'add', '--all');
  git(
    repository,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    'start',
  );
  git(repository, 'worktree', 'add', '--quiet', '--detach', directory);
  const file = path.join(base, 'playbook.yaml');
  writeFileSync(file, playbook);
  return {directory, playbook: file, outcomeFile: path.join(base, 'outcome.json'), repository};
}

export type RunResult = {
  readonly code: number;
  readonly text: string;
  readonly outcome: AgentOutcome | undefined;
};

/** Plays it in this process. What commands print goes where the tests print. */
export async function play(
  {directory, playbook, outcomeFile}: Fixture,
  changes: Partial<PlaybookOptions> = {},
): Promise<RunResult> {
  let output = '';
  const code = await runPlaybook({
    mode: 'work',
    directory,
    playbook,
    outcomeFile,
    task: 't1',
    env: {PATH: process.env['PATH']},
    out: (text) => {
      output += text;
    },
    ...changes,
  });
  return {
    code,
    text: output,
    outcome: existsSync(outcomeFile)
      ? parseOutcomeFile(readFileSync(outcomeFile, 'utf8'))
      : undefined,
  };
}

/** Every file with what it holds; links and modes as well. */
export function getTree(directory: string): Record<string, string> {
  const names = readdirSync(directory, {recursive: true, encoding: 'utf8'})
    .filter((name) => name !== '.git')
    .toSorted();
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = path.join(directory, name);
      const status = lstatSync(file);
      if (status.isDirectory()) return [];
      return [
        [
          name,
          status.isSymbolicLink()
            ? `→ ${readlinkSync(file)}`
            : `${(status.mode & 0o111) === 0 ? '' : 'x '}${readFileSync(file, 'utf8')}`,
        ],
      ];
    }),
  );
}

/** What is noted beside the worktree. */
export function notesIn({repository}: Fixture): readonly string[] {
  return readdirSync(path.join(repository, '.git/worktrees/worktree')).filter((name) =>
    name.includes('playbook'),
  );
}

function git(directory: string, ...argv: readonly string[]): void {
  execFileSync('git', argv, {
    cwd: directory,
    env: {PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: directory},
  });
}
