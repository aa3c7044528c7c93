import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

const ignored = {'.gitignore': '.orchestra/knowledge/\ndeps/\n.env\n'};
const rules = '# 1. Validation\n1. What it needs is there. `test: test -f deps/a/index.js`\n';

/** At once, so that nobody reads half of it. */
function changeProject(fixture: LoopFixture, change: (text: string) => string): void {
  const file = path.join(fixture.root, '.orchestra/project.yaml');
  writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}.new`, file);
}

const making = (fixture: LoopFixture): string =>
  path.join(fixture.current().stateDirectory, 'workspace', 'making');
const stages = (fixture: LoopFixture): readonly string[] =>
  existsSync(making(fixture)) ? readdirSync(making(fixture)) : [];

describe('what the project shares', () => {
  it('is made while the plan is read, reaches tasks and the worktree of merges, and goes when the plan is rejected', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      rules,
      files: ignored,
      project: 'share: [deps]\n',
    });
    fixture.write('deps/a/index.js', 'one\n');
    await fixture.objective();
    const isShared = (name: string): boolean =>
      existsSync(path.join(making(fixture), name, 'deps/a/index.js'));
    await eventually('both are shared ahead', () => stages(fixture).filter(isShared).length === 2);
    assert.equal(existsSync(fixture.worktree('r1.t1')), false);
    writeFileSync(path.join(fixture.home, 'hold'), '');
    fixture.act(
      'plan',
      `while [ -e ${fixture.home}/hold ]; do sleep 0.1; done; rm $HOME/acts/plan; exec sh $PRETEND/plan.sh "$@"`,
    );
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'no').code, 0);
    await eventually('what was made ahead is gone', () => stages(fixture).length === 0);
    renameSync(path.join(fixture.home, 'hold'), path.join(fixture.home, 'held'));
    await fixture.until(
      'there is another plan',
      () => fixture.eventsOf('plan-received').length === 2,
    );
    await eventually(
      'both are shared ahead again',
      () => stages(fixture).filter(isShared).length === 2,
    );
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
    for (const owner of ['r1.t1', 'r1.t2', 'r1.merge'])
      assert.equal(existsSync(path.join(fixture.worktree(owner), 'deps/a/index.js')), true, owner);
    assert.deepEqual(stages(fixture), []);
  });

  it('reaches worktrees that are there already: at once where nobody works, else before the next session', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      rules,
      files: ignored,
      acts: {
        t1: 'echo first > t1.txt\n',
        t2: `echo second > t2.txt\nwhile [ ! -e $HOME/go ]; do sleep 0.1; done\n`,
      },
    });
    fixture.write('deps/a/index.js', 'one\n');
    fixture.write('.env', 'A=1\n');
    void fixture.objective('--approve');
    await fixture.until(
      'the first has stopped: nothing is shared',
      () => fixture.eventsOf('task-stopped').length === 1,
    );
    changeProject(fixture, (text) => `share: [deps]\ncopy: [.env]\n${text}`);
    const has = (owner: string): boolean =>
      existsSync(path.join(fixture.worktree(owner), 'deps/a/index.js')) &&
      existsSync(path.join(fixture.worktree(owner), '.env'));
    await eventually('the idle worktree has it', () => has('r1.t1'));
    assert.equal(has('r1.t2'), false, 'somebody works there');
    writeFileSync(path.join(fixture.home, 'go'), '');
    // Without a sandbox, an edit of the project file while an agent works is asked about.
    await fixture.until(
      'the edit is asked about',
      () => fixture.eventsOf('trouble-met').length === 1,
    );
    assert.equal(fixture.run('resume', 'r1.t2').code, 0);
    await fixture.until('the second is green', () =>
      fixture.eventsOf('change-validated').some(({task}) => task === 'r1.t2'),
    );
    assert.equal(has('r1.t2'), true);
    assert.equal(fixture.run('grant', 'r1.t1', '--hint', 'again').code, 0);
    await fixture.until('both are merged', () => fixture.eventsOf('task-merged').length === 2);
  });

  it('survives a daemon that is killed while it is made ahead', async (t) => {
    const fixture = createFixture(t, {rules, files: ignored, project: 'share: [deps]\n'});
    mkdirSync(path.join(fixture.root, 'deps/a'), {recursive: true});
    for (let number = 0; number < 3000; number++)
      writeFileSync(path.join(fixture.root, 'deps/a', `${number}.js`), 'x');
    fixture.write('deps/a/index.js', 'one\n');
    await fixture.objective();
    await eventually(
      'it is being shared',
      () =>
        stages(fixture).some((name) => name.startsWith('share-')) ||
        stages(fixture).some((name) => existsSync(path.join(making(fixture), name, 'deps'))),
    );
    await fixture.killDaemon('SIGKILL');
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.equal(readdirSync(path.join(fixture.worktree('r1.t1'), 'deps/a')).length, 3001);
    assert.deepEqual(stages(fixture), []);
  });
});
