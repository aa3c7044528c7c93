import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {Buffer} from 'node:buffer';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {
  type Event,
  type Need,
  selectNeeds,
  selectRun,
  selectSession,
  selectTask,
  type Session,
  type State,
  type Task,
} from '../../../../source/domain/index.ts';
import {connectKeeper} from '../../../../source/keeper/index.ts';
import {eventually} from '../../../support/eventually.ts';
import type {Outcome} from '../../../daemon/support/daemon-fixture.ts';
import type {Script} from '../../model-server/script.ts';
import {createHarness, type Harness} from './harness.ts';

/** A run with one task of a real agent: its worker or its planner is in its own interface. */
export type RunHarness = Harness & {
  readonly run: Promise<Outcome>;
  /** An absolute path that checks can see, for what they wait for. */
  readonly gate: string;
  readonly state: () => Promise<State>;
  readonly task: () => Promise<Task | undefined>;
  /** The task's agents, in order. */
  readonly workers: () => Promise<readonly Session[]>;
  readonly needs: () => Promise<readonly Need[]>;
  readonly eventsOf: <T extends Event['type']>(
    type: T,
  ) => readonly Extract<Event, {readonly type: T}>[];
  /** What a person types in the session's pane. */
  readonly press: (session: string, text: string) => Promise<void>;
  readonly screen: (session: string) => string;
  readonly until: <T>(
    what: string,
    look: () => T | Promise<T>,
  ) => Promise<NonNullable<Exclude<T, false>>>;
};

export type RunOptions = {
  /** A shell command that is green when the task is done. */
  readonly check: string;
  /** Further lines of project.yaml. */
  readonly project?: string;
  /** The agent itself plans, in its own interface, and its workers are headless. */
  readonly plans?: true;
};

export async function startRun(
  t: TestContext,
  name: string,
  script: (directory: () => string, gate: string) => Script,
  {check, project = 'sandbox: off\n', plans}: RunOptions,
): Promise<RunHarness> {
  let worktree = '';
  // In the sandbox an agent may do what it likes, so nothing is asked there.
  const harness = await createHarness(t, name, () => (asked) => answer(asked), {
    asks: project.includes('sandbox: off'),
  });
  const {place, model} = harness;
  const gate = path.join(place.env['HOME'] ?? '', 'gate');
  const answer = script(() => worktree, gate);
  worktree = path.join(`${place.root}.worktrees`, 'r1-t1');
  writeFileSync(
    path.join(place.root, '.rulesfile.md'),
    '# 1. Code\n- Edit few files. `max-files: 8`\n',
  );
  mkdirSync(path.join(place.root, '.orchestra'));
  writeFileSync(
    path.join(place.root, '.orchestra', 'project.yaml'),
    `baseline: false\nmodels: {${name}: ${model}}\nenvironment: [SCRIPTED_KEY]\n${project}`,
  );
  writeFileSync(
    path.join(place.root, 'playbook.yaml'),
    [
      'plan:',
      '  problem: Nobody is greeted.',
      '  rootCause: There is no file that greets.',
      '  tasks:',
      '    - {id: t1, title: Greet, brief: Greet everybody in b.txt., files: [b.txt]}',
      '  validation:',
      `    - {name: test, command: ${JSON.stringify(check.replaceAll('$GATE', gate))}}`,
      '',
    ].join('\n'),
  );
  const git = (...argv: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
      cwd: place.root,
      env: place.env,
    });
  };
  git('add', '--all');
  git('commit', '--quiet', '--message', 'rules');
  const run = place.launch(
    'run',
    'Greet everybody.',
    '--agent',
    name,
    ...(plans === true
      ? ['--planners', 'interactive']
      : ['--planner', 'playbook', '--playbook', 'playbook.yaml', '--interactive', '--approve']),
  );
  const state = async (): Promise<State> => (await place.ask({about: 'state'})) as State;
  const workers = async (): Promise<readonly Session[]> => {
    const known = await state();
    return (selectRun(known, 'r1')?.sessions ?? [])
      .flatMap((id) => selectSession(known, id) ?? [])
      .filter(({purpose}) => purpose.for === 'attempt');
  };
  const screen = (session: string): string => place.run('explain', session).out;
  return {
    ...harness,
    run,
    gate,
    state,
    workers,
    screen,
    task: async () => selectTask(await state(), 'r1.t1'),
    needs: async () => selectNeeds(await state()),
    // There is no journal yet when the daemon is only starting.
    eventsOf: (type) =>
      (existsSync(path.join(place.current().stateDirectory, 'journal.jsonl'))
        ? place.events()
        : []
      ).filter((event) => event.type === type) as never,
    press: async (session, text) => {
      const connection = await place.connect();
      const ticket = (await connection.ask({about: 'ticket', session})) as object;
      connection.close();
      const link = await connectKeeper({...ticket, session} as never, {});
      link.press(Buffer.from(text));
      // The keeper has read it once it answers.
      await link.ask({type: 'status'});
      link.close();
    },
    until: (what, look) =>
      eventually(what, look, 120_000).catch(async (error: unknown) => {
        const last = selectRun(await state(), 'r1')?.sessions.at(-1);
        const events = place.events().map((event) => JSON.stringify(event).slice(0, 400));
        return assert.fail(
          [
            String(error),
            last === undefined ? 'no session' : screen(last),
            JSON.stringify(
              await place.ask({about: 'state'}).then((known) => selectNeeds(known as State)),
            ),
            events.slice(-25).join('\n'),
          ].join('\n'),
        );
      }),
  };
}
