import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {Event, State} from '../../../../source/domain/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {
  type DaemonFixture,
  openDaemonFixture,
  type Outcome,
} from '../../../daemon/support/daemon-fixture.ts';

export type StagedTask = {
  readonly id: string;
  readonly files?: readonly string[];
  readonly after?: readonly string[];
  readonly services?: readonly string[];
  readonly skill?: string;
};

export type StageOptions = {
  readonly tasks?: readonly StagedTask[];
  /** A shell script for each task, or for `plan`. Without one the task succeeds. */
  readonly acts?: Readonly<Record<string, string>>;
  /** Further lines at the top of project.yaml. */
  readonly project?: string;
  readonly rules?: string;
  /**
   * Also runs the checks on the base. Off by default, because most tests count on session numbers.
   */
  readonly hasBaseline?: boolean;
  /** Further files of the first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

/** A repository in which the real program runs pretend agents. */
export type LoopFixture = DaemonFixture & {
  readonly git: (...argv: readonly string[]) => string;
  readonly write: (file: string, text: string) => void;
  readonly read: (file: string) => string;
  readonly worktree: (owner: string) => string;
  /** `orchestra run` with a small objective; without `--approve` it ends at the plan. */
  readonly objective: (...options: readonly string[]) => Promise<Outcome>;
  readonly act: (task: string, script: string) => void;
  readonly state: () => Promise<State>;
  readonly until: (what: string, look: (state: State) => boolean, limit?: number) => Promise<State>;
  readonly eventsOf: <T extends Event['type']>(
    type: T,
  ) => readonly Extract<Event, {readonly type: T}>[];
  /** The prompts of the agents, in order. */
  readonly prompts: () => readonly string[];
  /** The agent's output that is saved so far. What is not saved is lost when it is killed. */
  readonly outcomeOf: (session: string) => string;
  readonly needs: () => {
    readonly kind: string;
    readonly words: string;
    readonly ways: readonly {readonly command: string; readonly effect: string}[];
  }[];
};

export const pretendAgents = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'support',
  'pretend-agents',
);

/** The check fails for files that contain the word `red`. */
export const usualRules = '# 1. Validation\n1. Nothing is red. `test: sh check.sh`\n';

export function createFixture(
  t: Pick<TestContext, 'after'>,
  options: StageOptions = {},
): LoopFixture {
  const fixture = openStage(options);
  t.after(fixture.close);
  return fixture;
}

export function openStage(options: StageOptions = {}): LoopFixture {
  const fixture = openDaemonFixture({GIT_CONFIG_NOSYSTEM: '1', ...options.env});
  const {root, home, env} = fixture;
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), {recursive: true});
    writeFileSync(file, text);
  };

  const write: LoopFixture['write'] = (file, text) => {
    put(path.join(root, file), text);
  };
  const git: LoopFixture['git'] = (...argv) =>
    execFileSync('git', argv, {cwd: root, env, encoding: 'utf8'});
  const act: LoopFixture['act'] = (task, script) => {
    put(path.join(home, 'acts', task), script);
  };
  for (const [file, text] of Object.entries(getFiles(options))) write(file, text);
  for (const [task, script] of Object.entries(options.acts ?? {})) act(task, script);
  put(path.join(home, 'plan.json'), JSON.stringify(getPlan(options.tasks ?? [{id: 't1'}])));
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The beginning');

  const state: LoopFixture['state'] = async () => (await fixture.ask({about: 'state'})) as State;
  return {
    ...fixture,
    git,
    write,
    act,
    state,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    worktree: (owner) => path.join(`${root}.worktrees`, owner.replace('.', '-')),
    objective: (...argv) => fixture.launch('run', 'Make it better', ...argv),
    until: (what, look, limit) =>
      eventually(
        what,
        async () => {
          const known = await state();
          return look(known) ? known : undefined;
        },
        limit,
      ),
    eventsOf: (type) => fixture.events().filter((event) => event.type === type) as never,
    prompts: () => {
      const directory = path.join(fixture.current().stateDirectory, 'exchange');
      const order = fixture
        .events()
        .flatMap((event) => (event.type === 'session-asked' ? [event.session] : []));
      const names = existsSync(directory) ? readdirSync(directory) : [];
      return order
        .flatMap((session) => names.filter((name) => name.endsWith(`-${session}`)))
        .map((name) => readFileSync(path.join(directory, name, 'prompt.md'), 'utf8'));
    },
    outcomeOf: (session) => {
      const directory = path.join(fixture.current().stateDirectory, 'exchange');
      const file = path.join(
        directory,
        readdirSync(directory).find((name) => name.endsWith(`-${session}`)) ?? '',
        'outcome.json',
      );
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    },
    needs: () =>
      (fixture.json('needs') as {readonly needs: ReturnType<LoopFixture['needs']>}).needs,
  };
}

export function getPlan(tasks: readonly StagedTask[], more: object = {}): object {
  return {
    problem: 'It could be better.',
    rootCause: 'Nobody has done it yet.',
    invariants: ['base.txt stays.'],
    tasks: tasks.map(({id, files = [`${id}.txt`], ...rest}) => ({
      id,
      title: `Do ${id}`,
      brief: `Write ${id}.`,
      files,
      ...rest,
    })),
    ...more,
  };
}

function getFiles({
  project = '',
  rules = usualRules,
  files = {},
  hasBaseline = false,
}: StageOptions): Readonly<Record<string, string>> {
  return {
    'base.txt': 'base\n',
    'check.sh': 'if grep -l red *.txt 2>/dev/null; then echo "FAIL a file is red"; exit 1; fi\n',
    '.gitignore': '.orchestra/knowledge/\n',
    '.rulesfile.md': rules,
    '.orchestra/project.yaml': `${project.includes('sandbox:') ? '' : 'sandbox: off\n'}${hasBaseline || project.includes('baseline:') ? '' : 'baseline: false\n'}${project}${project === '' || project.endsWith('\n') ? '' : '\n'}planner: pretend
worker: pretend
agents:
  pretend:
    plan: [sh, ${path.join(pretendAgents, 'plan.sh')}, '{promptFile}', '{outcomeFile}']
    work: [sh, ${path.join(pretendAgents, 'by-task.sh')}, '{promptFile}', '{outcomeFile}']
    prompt: file
`,
    ...files,
  };
}

/** Writes a hook of the person's. */
export function writeHook({root}: Pick<LoopFixture, 'root'>, name: string, script: string): void {
  const file = path.join(root, '.orchestra', 'hooks', name);
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
