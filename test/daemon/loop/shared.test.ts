import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {createStage, type Stage} from './support/stage.ts';

const ignored = {'.gitignore': '.orchestra/knowledge/\ndeps/\n.env\n'};
const rules = '# 1. Validation\n1. What it needs is there. `test: test -f deps/a/index.js`\n';

/** At once, so that nobody reads half of it. */
function changeProject(stage: Stage, change: (text: string) => string): void {
  const file = path.join(stage.root, '.orchestra/project.yaml');
  writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}.new`, file);
}

const making = (stage: Stage): string =>
  path.join(stage.here().stateDirectory, 'workspace', 'making');
const stages = (stage: Stage): readonly string[] =>
  existsSync(making(stage)) ? readdirSync(making(stage)) : [];

describe('what the project shares', () => {
  it('is made while the plan is read, reaches tasks and the worktree of merges, and goes when the plan is rejected', async (t) => {
    const stage = createStage(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      rules,
      files: ignored,
      project: 'share: [deps]\n',
    });
    stage.write('deps/a/index.js', 'one\n');
    await stage.objective();
    const isShared = (name: string): boolean =>
      existsSync(path.join(making(stage), name, 'deps/a/index.js'));
    await eventually('both are shared ahead', () => stages(stage).filter(isShared).length === 2);
    assert.equal(existsSync(stage.worktree('r1.t1')), false);
    writeFileSync(path.join(stage.home, 'hold'), '');
    stage.act(
      'plan',
      `while [ -e ${stage.home}/hold ]; do sleep 0.1; done; rm $HOME/acts/plan; exec sh $PRETEND/plan.sh "$@"`,
    );
    assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'no').code, 0);
    await eventually('what was made ahead is gone', () => stages(stage).length === 0);
    renameSync(path.join(stage.home, 'hold'), path.join(stage.home, 'held'));
    await stage.until('there is another plan', () => stage.eventsOf('plan-received').length === 2);
    await eventually(
      'both are shared ahead again',
      () => stages(stage).filter(isShared).length === 2,
    );
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
    for (const owner of ['r1.t1', 'r1.t2', 'r1.merge'])
      assert.equal(existsSync(path.join(stage.worktree(owner), 'deps/a/index.js')), true, owner);
    assert.deepEqual(stages(stage), []);
  });

  it('reaches worktrees that are there already: at once where nobody works, else before the next session', async (t) => {
    const stage = createStage(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      rules,
      files: ignored,
      acts: {
        t1: 'echo first > t1.txt\n',
        t2: `echo second > t2.txt\nwhile [ ! -e $HOME/go ]; do sleep 0.1; done\n`,
      },
    });
    stage.write('deps/a/index.js', 'one\n');
    stage.write('.env', 'A=1\n');
    void stage.objective('--approve');
    await stage.until(
      'the first has stopped: nothing is shared',
      () => stage.eventsOf('task-stopped').length === 1,
    );
    changeProject(stage, (text) => `share: [deps]\ncopy: [.env]\n${text}`);
    const has = (owner: string): boolean =>
      existsSync(path.join(stage.worktree(owner), 'deps/a/index.js')) &&
      existsSync(path.join(stage.worktree(owner), '.env'));
    await eventually('the idle worktree has it', () => has('r1.t1'));
    assert.equal(has('r1.t2'), false, 'somebody works there');
    writeFileSync(path.join(stage.home, 'go'), '');
    // Without a sandbox, an edit of the project file while an agent works is asked about.
    await stage.until('the edit is asked about', () => stage.eventsOf('trouble-met').length === 1);
    assert.equal(stage.run('resume', 'r1.t2').code, 0);
    await stage.until('the second is green', () =>
      stage.eventsOf('change-validated').some(({task}) => task === 'r1.t2'),
    );
    assert.equal(has('r1.t2'), true);
    assert.equal(stage.run('grant', 'r1.t1', '--hint', 'again').code, 0);
    await stage.until('both are merged', () => stage.eventsOf('task-merged').length === 2);
  });

  it('survives a daemon that is killed while it is made ahead', async (t) => {
    const stage = createStage(t, {rules, files: ignored, project: 'share: [deps]\n'});
    mkdirSync(path.join(stage.root, 'deps/a'), {recursive: true});
    for (let number = 0; number < 3000; number++)
      writeFileSync(path.join(stage.root, 'deps/a', `${number}.js`), 'x');
    stage.write('deps/a/index.js', 'one\n');
    await stage.objective();
    await eventually(
      'it is being shared',
      () =>
        stages(stage).some((name) => name.startsWith('share-')) ||
        stages(stage).some((name) => existsSync(path.join(making(stage), name, 'deps'))),
    );
    await stage.killDaemon('SIGKILL');
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.equal(readdirSync(path.join(stage.worktree('r1.t1'), 'deps/a')).length, 3001);
    assert.deepEqual(stages(stage), []);
  });
});
