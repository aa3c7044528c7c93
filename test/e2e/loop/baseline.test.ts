import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {isBaselineOver, selectRun, type State} from '../../../source/domain/index.ts';
import {
  createFixture as create,
  type LoopFixture,
  type StageOptions,
} from './support/loop-fixture.ts';

const rulesWith = (command: string): string =>
  `# 1. Validation\n1. It holds. \`test: ${command}\`\n`;

/** Fails on the base for a file that no task may touch. */
const redBase = {
  rules: rulesWith('sh old.sh'),
  files: {
    'old.sh': 'if [ -e old-is-mended ]; then exit 0; fi; echo "FAIL the old thing"; exit 1\n',
  },
};

/** TAP: what failed has a name. */
const tapScript =
  'echo TAP version 13; n=0; bad=0; for f in *.case; do n=$((n+1)); if grep -q bad "$f"; then bad=$((bad+1)); echo "not ok $n - $f"; else echo "ok $n - $f"; fi; done; echo "1..$n"; echo "# fail $bad"; [ $bad = 0 ]\n';

function createFixture(t: Parameters<typeof create>[0], options: StageOptions): LoopFixture {
  return create(t, {...options, hasBaseline: true});
}

function isKnown(state: State): boolean {
  const run = selectRun(state, 'r1');
  return run?.stage.at === 'reviewing' && isBaselineOver(state, run);
}

/** A run whose plan waits, and whose base is checked. */
async function planned(
  t: Parameters<typeof create>[0],
  options: StageOptions,
): Promise<LoopFixture> {
  const fixture = createFixture(t, options);
  assert.equal((await fixture.objective()).code, 3);
  await fixture.until('the base is checked', isKnown);
  return fixture;
}

describe('setup', () => {
  it('makes what a check needs in the worktree for merges as well', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup: echo made > made-by-setup',
      rules: rulesWith('test -e made-by-setup'),
      files: {'.gitignore': 'made-by-setup\n.orchestra/knowledge/\n'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(
      fixture.eventsOf('check-finished').map(({on, result}) => `${on} ${result.outcome}`),
      ['change passed', 'merge passed'],
    );
    assert.equal(fixture.eventsOf('attempt-started').length, 1, 'nothing was repaired');
    assert.deepEqual(
      fixture.eventsOf('worktree-set-up').map(({owner}) => owner),
      ['r1.merge'],
    );
  });

  it('runs again where a change or a merge changed what it reads, and nowhere else', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup: cp requirements.txt installed && echo x >> setups',
      rules: rulesWith('cmp requirements.txt installed'),
      tasks: [{id: 't1', files: ['requirements.txt']}, {id: 't2'}],
      files: {
        'requirements.txt': 'one\n',
        '.gitignore': 'installed\nsetups\n.orchestra/knowledge/\n',
      },
      acts: {t1: 'echo two >> requirements.txt'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(
      fixture
        .eventsOf('setup-passed')
        .filter(({on}) => on !== undefined)
        .map(({task, on}) => `${task} ${on ?? ''}`)
        .toSorted(),
      ['r1.t1 change', 'r1.t1 merge'],
    );
    assert.equal(
      fixture.eventsOf('attempt-failed').length + fixture.eventsOf('merge-refused').length,
      0,
    );
    assert.equal(readFileSync(path.join(fixture.worktree('r1.t2'), 'setups'), 'utf8'), 'x\n');
  });

  it('that fails on a merge is trouble with its status; no attempt and no repair is spent', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup: test "$(cat requirements.txt)" != "one two" || exit 9',
      tasks: [{id: 't1', files: ['requirements.txt']}],
      files: {'requirements.txt': 'one\n'},
      // It passes in the task's own worktree by a file that is ignored there, and that no merge
      // has.
      acts: {t1: 'printf "one two" > requirements.txt'},
    });
    fixture.write(
      '.orchestra/project.yaml',
      fixture.read('.orchestra/project.yaml').replace('|| exit 9', '|| test -e allowed || exit 9'),
    );
    fixture.write('.gitignore', 'allowed\n.orchestra/knowledge/\n');
    fixture.git('commit', '--quiet', '--all', '--message', 'Allowed here and there');
    fixture.act('t1', 'printf "one two" > requirements.txt; touch allowed');
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(
      fixture.eventsOf('trouble-met').map(({owner, why}) => [owner, why]),
      [['r1.t1', {kind: 'setup', code: 9}]],
    );
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
    assert.equal(fixture.eventsOf('merge-refused').length, 0);
    writeFileSync(path.join(fixture.worktree('r1.merge'), 'allowed'), '');
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  });

  it('reaches worktrees that are there when it is added later', async (t) => {
    const fixture = createFixture(t, {
      acts: {
        t1: 'if grep -qi repair "$1"; then echo green > t1.txt; else while [ ! -e "$HOME/added" ]; do sleep 0.05; done; echo red > t1.txt; fi',
      },
      files: {'.gitignore': 'set-up\n.orchestra/knowledge/\n'},
    });
    const run = fixture.objective('--approve');
    await fixture.until(
      'its agent works',
      (state) => selectRun(state, 'r1')?.tasks[0]?.attempts[0]?.step.at === 'working',
    );
    fixture.write(
      '.orchestra/project.yaml',
      `setup: touch set-up\n${fixture.read('.orchestra/project.yaml')}`,
    );
    await fixture.until('the project file is read', (state) => state.project.setup !== undefined);
    writeFileSync(path.join(fixture.home, 'added'), '');
    const {code, out} = await run;
    assert.equal(code, 0, out);
    assert.equal(existsSync(path.join(fixture.worktree('r1.t1'), 'set-up')), true);
  });

  it('is run for the planner where the project wants it', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup:\n  command: touch set-up\n  planner: true',
      files: {'.gitignore': 'set-up\n.orchestra/knowledge/\n'},
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.deepEqual(
      fixture.eventsOf('worktree-set-up').map(({owner}) => owner),
      ['r1.plan', 'r1.merge'],
    );
    assert.deepEqual(
      fixture
        .eventsOf('session-asked')
        .slice(0, 2)
        .map(({purpose}) => purpose.for),
      ['worktree-setup', 'plan'],
    );
  });
});

describe('a base that is red', () => {
  it('is told with its first failure before the approval, which waits for a decision; ignored, the check is not run', async (t) => {
    const fixture = await planned(t, redBase);
    const shown = fixture.run('plan', 'show', 'r1');
    assert.equal(shown.code, 3);
    assert.match(shown.out, /test: failed\n\s+FAIL the old thing/);
    assert.match(shown.out, /orchestra baseline r1 --mend test/);
    const {checks} = (
      fixture.json('plan', 'show', 'r1') as {
        baseline: {checks: {name: string; outcome: string; firstFailure: string}[]};
      }
    ).baseline;
    assert.deepEqual(
      checks.map(({name, outcome}) => [name, outcome]),
      [['test', 'failed']],
    );
    const rejected = fixture.run('plan', 'approve', 'r1');
    assert.notEqual(rejected.code, 0);
    assert.match(rejected.err, /test failed on the unchanged base of r1.*orchestra baseline r1/);
    assert.equal(fixture.run('baseline', 'r1', '--ignore', 'test').code, 0);
    const {code, out} = await fixture.launch('plan', 'approve', 'r1', '--follow');
    assert.equal(code, 0, out);
    assert.equal(fixture.eventsOf('check-finished').length, 0);
    assert.deepEqual(
      fixture.eventsOf('baseline-chosen').map(({check, choice}) => [check.name, choice]),
      [['test', 'ignore']],
    );
    await fixture.until('its summary is written', () =>
      fixture.eventsOf('summary-written').some(({task}) => task === undefined),
    );
    const summary = fixture.eventsOf('summary-written').find(({task}) => task === undefined)!;
    assert.match(fixture.read(summary.path), /Failing on the base[^]*test: skip it in this run/);
  });

  it('is mended by a first task, which all others come after', async (t) => {
    const fixture = await planned(t, {
      ...redBase,
      tasks: [{id: 't1'}],
      acts: {t2: 'touch old-is-mended'},
    });
    assert.equal(fixture.run('baseline', 'r1', '--mend', 'test').code, 0);
    const {plan} = fixture.json('plan', 'show', 'r1') as {
      plan: {tasks: {id: string; after: string[]; brief: string}[]};
    };
    assert.deepEqual(
      plan.tasks.map(({id, after}) => [id, after]),
      [
        ['t2', []],
        ['t1', ['t2']],
      ],
    );
    assert.match(plan.tasks[0]!.brief, /FAIL the old thing/);
    const {code, out} = await fixture.launch('plan', 'approve', 'r1', '--follow');
    assert.equal(code, 0, out);
    assert.deepEqual(
      fixture.eventsOf('task-merged').map(({task}) => task),
      ['r1.t2', 'r1.t1'],
    );
  });

  it('may stay as red as it was, where the report names what failed', async (t) => {
    const fixture = await planned(t, {
      rules: rulesWith('sh tap.sh'),
      files: {'tap.sh': tapScript, 'a.case': 'bad\n', 'b.case': 'good\n'},
      tasks: [{id: 't1', files: ['b.case']}],
      acts: {t1: 'if grep -qi repair "$1"; then echo better > b.case; else echo bad > b.case; fi'},
    });
    assert.equal(fixture.run('baseline', 'r1', '--no-new', 'test').code, 0);
    const {code, out} = await fixture.launch('plan', 'approve', 'r1', '--follow');
    assert.equal(code, 0, out);
    const [failed] = fixture.eventsOf('attempt-failed');
    assert.match(
      failed?.failure.kind === 'check' ? failed.failure.firstFailure : '',
      /new failures with this change: b\.case/,
    );
    assert.deepEqual(
      fixture
        .eventsOf('check-finished')
        .filter(({on}) => on === 'merge')
        .map(({result}) => result.outcome),
      ['failed'],
    );
  });

  it('is not compared where the report names nothing', async (t) => {
    const fixture = await planned(t, redBase);
    const rejected = fixture.run('baseline', 'r1', '--no-new', 'test');
    assert.notEqual(rejected.code, 0);
    assert.match(rejected.err, /does not name what failed/);
    assert.match(
      fixture.run('baseline', 'r1', '--ignore', 'nothing').err,
      /no check "nothing"; its checks are test/,
    );
    assert.match(
      fixture.run('baseline', 'r1', '--ignore', 'test', '--count', 'test').err,
      /expected one decision/,
    );
  });

  it('found out after the approval spends no attempt: the task waits, and goes on by what is decided then', async (t) => {
    // The base is checked only once the task has been, so that the result comes after the approval
    // for certain.
    const fixture = createFixture(t, {
      rules: rulesWith('sh old.sh'),
      files: {
        'old.sh':
          'if [ "$ORCHESTRA_OWNER" = r1.merge ]; then while [ ! -e "$HOME/worked" ]; do sleep 0.05; done; fi; echo "FAIL the old thing"; exit 1\n',
      },
      acts: {t1: 'echo green > t1.txt; touch "$HOME/worked"'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(
      fixture.eventsOf('trouble-met').map(({owner, why}) => [owner, why]),
      [['r1.t1', {kind: 'red-on-base', name: 'test'}]],
    );
    assert.equal(fixture.eventsOf('attempt-failed').length, 0);
    assert.match(out, /orchestra baseline r1 --ignore test/);
    assert.equal(fixture.run('baseline', 'r1', '--ignore', 'test').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
  });

  it('for a program that is not there is told before the approval', async (t) => {
    const fixture = await planned(t, {rules: rulesWith('./missing-check --all')});
    assert.match(fixture.run('plan', 'show', 'r1').out, /test: cannot run/);
    assert.match(
      fixture.run('plan', 'approve', 'r1').err,
      /cannot run on the unchanged base of r1/,
    );
    assert.equal(fixture.eventsOf('task-begun').length, 0);
  });

  it("by its setup is told before the approval, and checked again by a person's word", async (t) => {
    const fixture = await planned(t, {project: 'setup: test -e "$HOME/may-set-up" || exit 9'});
    assert.match(fixture.run('plan', 'show', 'r1').out, /setup exited with 9/);
    writeFileSync(path.join(fixture.home, 'may-set-up'), '');
    assert.equal(fixture.run('baseline', 'r1', '--again').code, 0);
    await fixture.until(
      'the base is green',
      (state) => isKnown(state) && fixture.eventsOf('baseline-checked').length === 1,
    );
    assert.deepEqual(
      fixture.eventsOf('baseline-checked').map(({result}) => result.outcome),
      ['passed'],
    );
  });
});

describe('what is known about a base', () => {
  it("is not found out again for the same tree, rules, environment and setup; red is run again by a person's word", async (t) => {
    const fixture = await planned(t, {
      ...redBase,
      rules: `${redBase.rules}2. And this. \`lint: true\`\n`,
    });
    assert.equal((await fixture.objective()).code, 3);
    await fixture.until('the second is known', (state) => {
      const run = selectRun(state, 'r2');
      return run?.stage.at === 'reviewing' && isBaselineOver(state, run);
    });
    const recalled = fixture.eventsOf('baseline-recalled').find(({run}) => run === 'r2')!;
    assert.deepEqual(
      recalled.results.map(({check, outcome}) => [check.name, outcome]),
      [
        ['test', 'failed'],
        ['lint', 'passed'],
      ],
    );
    assert.equal(fixture.eventsOf('baseline-checked').filter(({run}) => run === 'r2').length, 0);
    assert.match(fixture.run('plan', 'show', 'r2').out, /test: failed, from an earlier run/);
    fixture.run('baseline', 'r2', '--again', 'test');
    await fixture.until('it is checked', () =>
      fixture.eventsOf('baseline-checked').some(({run}) => run === 'r2'),
    );
    // Another tree is another base.
    fixture.write('more.txt', 'more\n');
    fixture.git('add', '--all');
    fixture.git('commit', '--quiet', '--message', 'More');
    assert.equal((await fixture.objective()).code, 3);
    await fixture.until('the third is known', (state) => {
      const run = selectRun(state, 'r3');
      return run?.stage.at === 'reviewing' && isBaselineOver(state, run);
    });
    assert.deepEqual(
      fixture.eventsOf('baseline-recalled').find(({run}) => run === 'r3')!.results,
      [],
    );
  });

  it('is found out by another daemon when the first is killed meanwhile', async (t) => {
    const fixture = createFixture(t, {
      rules: rulesWith('sh slow.sh'),
      files: {'slow.sh': 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done\n'},
    });
    assert.equal((await fixture.objective()).code, 3);
    await fixture.until('the base is being checked', (state) => state.live.length === 1);
    process.kill((await fixture.daemonPid())!, 'SIGKILL');
    writeFileSync(path.join(fixture.home, 'go'), '');
    fixture.run('status');
    await fixture.until('the base is checked', isKnown);
    assert.deepEqual(
      fixture.eventsOf('baseline-checked').map(({result}) => result.outcome),
      ['passed'],
    );
    assert.equal(fixture.eventsOf('baseline-interrupted').length, 0, 'its session lived on');
  });

  it('is not asked for where the project says so', async (t) => {
    const fixture = createFixture(t, {project: 'baseline: false\n'});
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(
      fixture.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'baseline').length,
      0,
    );
    assert.match(fixture.run('baseline', 'r1').out, /baseline: false/);
  });
});
