import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectNeeds, selectRun, selectTask, type State} from '../../../source/domain/index.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

type Variants = {
  readonly groups: readonly {
    readonly task: string;
    readonly isUndecided: boolean;
    readonly picked?: string;
    readonly variants: readonly {
      readonly task: string;
      readonly stage: string;
      readonly agent: string;
      readonly cost?: number;
      readonly commit: string | null;
      readonly change: {readonly paths: readonly string[]} | null;
      readonly checks: readonly {readonly name: string; readonly outcome: string}[];
    }[];
  }[];
};

/** The first group of variants of a run. */
function groupOf({json}: LoopFixture, what = 'r1'): Variants['groups'][number] {
  return (json('variants', what) as Variants).groups[0] ?? assert.fail('no group');
}

function stagesOf(state: State): (string | undefined)[] {
  return (selectRun(state, 'r1')?.tasks ?? []).map(({stage}) => stage.at);
}

const waitsForPick = (state: State): boolean =>
  selectNeeds(state).some(({kind}) => kind === 'pick');

function mergesOf({eventsOf}: LoopFixture): string[] {
  return eventsOf('merge-begun').map(({task}) => task);
}

function ok({code, err}: ReturnType<LoopFixture['run']>): void {
  assert.equal(code, 0, err);
}

/** Works when the test lets all agents go on. */
const waits = (work: string): string => `while [ ! -e "$HOME/go" ]; do sleep 0.05; done; ${work}`;

function letGo({home}: LoopFixture): void {
  writeFileSync(path.join(home, 'go'), '');
}

/** A second agent beside `pretend`, and one with a screen of its own. */
function addAgents(fixture: LoopFixture): void {
  const program = (name: string): string => path.join(pretendAgents, name);
  const files = "'{promptFile}', '{outcomeFile}'";
  const typed = `[${program('typed.mjs')}, --works, --signals]`;
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    fixture.read('.orchestra/project.yaml') +
      `  other: {plan: [sh, ${program('plan.sh')}, ${files}], work: [sh, ${program('by-task.sh')}, ${files}], prompt: file}\n` +
      `  typed: {plan: ${typed}, work: ${typed}, takeover: ${typed}, prompt: typed, patterns: {ready: '^>'}}\n`,
  );
  fixture.git('commit', '--quiet', '--all', '--message', 'Agents');
}

/** What the built-in agent does as the second variant. */
const script = `tasks:
  t2:
    - use: {input: 1000, output: 200, cost: 0.25}
    - write: {path: t2.txt, text: "done by t2\\n"}
`;

describe('several agents that are opened without a plan', () => {
  it('work in worktrees of their own; the one that the person picks is merged, the other is in a ref', async (t) => {
    const fixture = createFixture(t);
    const playbook = path.join(fixture.home, 'playbook.yaml');
    writeFileSync(playbook, script);
    const opened = await fixture.launch(
      ...['open', 'Make it better', '--agents', 'pretend,playbook', '--playbook', playbook],
    );
    assert.equal(opened.code, 3, opened.err);
    assert.match(opened.out, /2 variants of .* are green: r1\.t1, r1\.t2; pick one/);
    assert.match(opened.out, /orchestra pick r1\.t2/);
    for (const task of ['r1.t1', 'r1.t2'] as const)
      assert.ok(existsSync(fixture.worktree(task)), task);

    const group = groupOf(fixture);
    assert.equal(group.isUndecided, true);
    assert.deepEqual(
      group.variants.map(({task, stage, agent, cost, change, checks}) => [
        task,
        stage,
        agent,
        cost,
        change?.paths,
        checks.map(({outcome}) => outcome),
      ]),
      [
        ['r1.t1', 'validated', 'pretend', undefined, ['t1.txt'], ['passed']],
        ['r1.t2', 'validated', 'playbook', 0.25, ['t2.txt'], ['passed']],
      ],
    );
    assert.deepEqual(groupOf(fixture, 'r1.t2'), groupOf(fixture, 'r1.t1'));
    assert.match(
      fixture.run('variants').out,
      /^Pick one: orchestra pick r1\.t1 {3}orchestra pick/m,
    );
    assert.deepEqual(mergesOf(fixture), []);

    const compared = fixture.run('diff', 'r1.t2', '--against', 'r1.t1');
    assert.match(compared.out, /^-done by t1$[^]*^\+done by t2$/m, compared.err);
    const {from, to} = fixture.json('diff', 'r1.t2', '--against', 't1') as {
      readonly from: string;
      readonly to: string;
    };
    assert.deepEqual(
      [from, to],
      group.variants.map(({commit}) => commit),
    );

    const commit = group.variants[1]?.commit ?? '';
    const picked = fixture.run('pick', 'r1.t2', '--commit', commit.slice(0, 12));
    assert.equal(
      picked.out,
      'r1.t2 is picked and merged next; the others are kept in refs: orchestra gc --dry-run\n',
      picked.err,
    );
    await fixture.until(
      'the other worktree is gone',
      (state) =>
        selectTask(state, 'r1.t2')?.stage.at === 'merged' && !existsSync(fixture.worktree('r1.t1')),
    );
    assert.deepEqual(mergesOf(fixture), ['r1.t2']);
    assert.equal(groupOf(fixture).picked, 'r1.t2');
    assert.equal(fixture.git('show', 'refs/orchestra/backup/r1.t1-1:t1.txt'), 'done by t1\n');
    assert.match(fixture.run('gc', '--dry-run').out, /refs\/orchestra\/backup\/r1\.t1-1/);
    assert.match(fixture.run('timeline', 'r1').out, /you picked .*r1\.t2/);
    ok(fixture.run('accept', 'r1'));
    assert.equal(fixture.read('t2.txt'), 'done by t2\n');
    assert.ok(!existsSync(path.join(fixture.root, 't1.txt')), 'the other one was not merged');
  });

  it('in their own interface they wait for the person, and one `check` checks them all', async (t) => {
    const fixture = createFixture(t);
    addAgents(fixture);
    const opened = await fixture.launch(
      ...['open', 'Make it better', '--tries', '2', '--agents', 'typed', '--interactive'],
      '--detach',
    );
    assert.deepEqual([opened.code, opened.out], [0, 'r1\n'], opened.err);
    await fixture.until(
      'both wait for the person',
      (state) => selectNeeds(state).filter(({kind}) => kind === 'turn').length === 2,
    );
    assert.deepEqual((fixture.json('check', 'r1') as {readonly tasks: unknown}).tasks, [
      'r1.t1',
      'r1.t2',
    ]);
    await fixture.until('both are green', waitsForPick);
    const same = fixture.run('diff', 'r1.t1', '--against', 'r1.t2');
    assert.deepEqual([same.code, same.out, same.err], [0, '', 'r1.t1 and r1.t2 are the same\n']);
    assert.match(
      fixture.run('run', 'Go on', '--from', 'r1').err,
      /r1 has several variants; pick one/,
    );
    ok(fixture.run('discard', 'r1.t1'));
    await fixture.until(
      'the one that is left is merged without a pick',
      (state) => selectTask(state, 'r1.t2')?.stage.at === 'merged',
    );
    ok(fixture.run('accept', 'r1'));
    assert.equal(fixture.read('b.txt'), 'better\n');
  });
});

describe('variants of a task of a plan', () => {
  const tasks = [{id: 't1'}, {id: 't2', after: ['t1']}];

  async function proposed(t: TestContext): Promise<LoopFixture> {
    const fixture = createFixture(t, {
      tasks,
      acts: {
        t1: waits('echo "by t1" > t1.txt'),
        t3: waits('echo "by t3" > t1.txt'),
        t2: 'cat t1.txt > t2.txt',
      },
    });
    addAgents(fixture);
    assert.equal((await fixture.objective()).code, 3);
    return fixture;
  }

  it('are chosen before the approval; nothing is merged before a pick, whatever dies', async (t) => {
    const fixture = await proposed(t);
    const set = fixture.run('plan', 'set', 'r1.t1', '--tries', '2', '--agents', 'pretend,other');
    assert.deepEqual(
      [set.code, set.out],
      [0, 'r1.t1: pretend. r1.t3: other. To approve the plan: orchestra plan approve r1\n'],
      set.err,
    );
    assert.match(fixture.run('plan', 'show', 'r1').out, /t3 .*\n.*variant of: t1\n/);
    ok(fixture.run('plan', 'approve', 'r1'));
    await fixture.until(
      'both work',
      (state) => stagesOf(state).filter((at) => at === 'attempting').length === 2,
    );
    await fixture.killDaemon('SIGKILL');
    letGo(fixture);
    await fixture.until('both are green', waitsForPick);
    await fixture.killDaemon('SIGKILL');
    assert.deepEqual(stagesOf(await fixture.state()), ['validated', 'validated', 'waiting']);
    assert.deepEqual(mergesOf(fixture), []);
    for (const [own, sibling] of [
      ['t1', 't3'],
      ['t3', 't1'],
    ] as const) {
      const prompt = fixture.prompts().find((text) => text.includes(`r1-${own}"`)) ?? '';
      assert.match(prompt, /siblings: .*"t2"/, `the prompt of ${own}`);
      assert.doesNotMatch(prompt, new RegExp(`r1[.-]${sibling}|"${sibling}"`));
    }

    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['pick'],
    );
    ok(fixture.run('pick', 'r1.t3'));
    await fixture.killDaemon('SIGKILL');
    await fixture.until(
      'the task after them is merged',
      (state) => selectTask(state, 'r1.t2')?.stage.at === 'merged',
    );
    assert.deepEqual(stagesOf(await fixture.state()), ['discarded', 'merged', 'merged']);
    assert.deepEqual(mergesOf(fixture), ['r1.t3', 'r1.t2']);
    assert.match(fixture.run('undo', 'r1.t1').err, /there is nothing to undo about r1\.t1/);
    ok(fixture.run('accept', 'r1'));
    assert.equal(fixture.read('t2.txt'), 'by t3\n', 'it was made from the picked one');
    assert.equal(fixture.git('show', 'refs/orchestra/backup/r1.t1-1:t1.txt'), 'by t1\n');
  });

  it('can be changed and taken back, and what cannot be is refused with what to do', async (t) => {
    const fixture = await proposed(t);
    const hashOf = (): string =>
      (fixture.json('plan', 'show', 'r1') as {readonly hash: string}).hash;
    const set = (...argv: readonly string[]): ReturnType<LoopFixture['run']> =>
      fixture.run('plan', 'set', 'r1.t1', ...argv);
    const before = hashOf();
    for (const [argv, text] of [
      [['--tries', '1'], /expected --tries from 2 to 8, got "1"/],
      [['--tries', '99'], /expected --tries from 2 to 8, got "99"/],
      [
        ['--tries', '2', '--agents', 'pretend,othr'],
        /"othr" is not an agent here\. Did you mean "other"/,
      ],
      [['--tries', '2', '--agent', 'other'], /expected --tries or --agent and --model, got both/],
      [['--no-tries', '--agents', 'pretend,other'], /expected --no-tries or --agents, got both/],
      [[], /expected --agent, --model or --tries/],
    ] as const) {
      const {code, err} = set(...argv);
      assert.equal(code, 2, err);
      assert.match(err, text);
    }

    assert.match(fixture.run('pick', 'r1.t1').err, /there is no task r1\.t1/);
    assert.match(fixture.run('variants', 'r1').out, /r1 has no task with variants.*--tries 3/);
    assert.equal(hashOf(), before);

    const {variants} = fixture.json('plan', 'set', 'r1.t1', '--tries', '3') as {
      readonly variants: unknown;
    };
    assert.deepEqual(
      variants,
      ['r1.t1', 'r1.t3', 'r1.t4'].map((task) => ({task, agent: 'pretend'})),
    );
    ok(fixture.run('plan', 'set', 'r1.t3', '--agent', 'other'));
    assert.match(fixture.run('plan', 'show', 'r1').out, /variant of: t1\n[^]*agent: other\n/);
    ok(set('--no-tries'));
    assert.equal(hashOf(), before);

    ok(set('--tries', '2'));
    ok(fixture.run('plan', 'approve', 'r1'));
    await fixture.until('both work', (state) => stagesOf(state)[1] === 'attempting');
    for (const [argv, text] of [
      [['pick', 'r1.t3'], /only a variant that passed its checks can be picked/],
      [['pick', 'r1.t2'], /r1\.t2 is the only variant of its task/],
      [['pick', 'r1.t9'], /there is no task r1\.t9/],
      [['pick', 'r1'], /expected a task such as r1\.t2, got "r1"/],
      [['variants', 'r1.t2'], /r1\.t2 has no variants; see all: orchestra variants r1/],
      [['variants', 'r7'], /there is no run r7/],
      [['diff', 'r1', '--against', 'r1.t1'], /expected a task to compare/],
      [['diff', 'r1.t1', '--against', 'r1.t9'], /there is no task r1\.t9/],
      [['diff', 'r1.t1', '--against', 'r1.t2'], /r1\.t2 has no worktree, so nothing to compare/],
    ] as const) {
      const {code, err, out} = fixture.run(...argv);
      assert.match(err, text, out);
      assert.ok(code === 1 || code === 2, `${argv.join(' ')} ended with ${code ?? 'a signal'}`);
    }

    letGo(fixture);
    await fixture.until('both are green', waitsForPick);
    const wrong = fixture.run('pick', 'r1.t3', '--commit', '0123456789ab');
    assert.equal(wrong.code, 2, wrong.out);
    assert.match(wrong.err, /r1\.t3 is at [\da-f]{12}, not at 0123456789ab\. Look at it again/);
    assert.deepEqual(fixture.eventsOf('variant-picked'), []);
    ok(fixture.run('pick', 'r1.t3'));
    const twice = fixture.run('pick', 'r1.t1');
    assert.equal(twice.code, 1, twice.out);
    assert.match(twice.err, /r1\.t3 counts already: you picked it, or it is merged/);
  });
});

describe('opening several agents', () => {
  it('that cannot work together, or are not here, starts nothing', (t) => {
    const fixture = createFixture(t);
    for (const [argv, text] of [
      [['--tries', '1'], /expected --tries from 2 to 8, got "1"/],
      [['--tries', '99'], /expected --tries from 2 to 8, got "99"/],
      [['--agents', 'pretend'], /expected two to 8 agents .* add --tries/],
      [['--agents', 'pretend,nobody'], /nobody/],
      [
        ['--agents', 'pretend,pretend', '--agent', 'pretend'],
        /expected --agent or --agents, got both/,
      ],
      [['--tries', '2', '--resume', 'c1'], /a conversation can be continued by one agent/],
    ] as const) {
      const {code, err, out} = fixture.run('open', 'Make it better', ...argv);
      assert.match(err, text, out);
      assert.ok(code === 1 || code === 2, `${argv.join(' ')} ended with ${code ?? 'a signal'}`);
    }

    const untitled = fixture.run('open', '--tries', '2');
    assert.match(untitled.err, /several agents need to know what to do: give an objective/);
    assert.deepEqual(fixture.eventsOf('run-created'), []);
  });
});
