import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {createStage, planOf} from './support/stage.ts';

describe('the plan of a run', () => {
  it('waits for a person: in a pipe it is printed, with the command that approves it, and nothing is changed', async (t) => {
    const stage = createStage(t, {});
    const before = pictureOf(stage);
    const {code, out} = await stage.objective();
    assert.equal(code, 3);
    assert.match(out, /orchestra plan approve r1\n/);
    assert.deepEqual(pictureOf(stage), before);
    assert.equal(stage.run('plan', 'show', 'r1').code, 3);
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('that is rejected is planned again with the reason and the comments, each beside its line', async (t) => {
    const stage = createStage(t, {});
    await stage.objective();
    assert.equal(stage.run('plan', 'comment', 'r1', '4', 'say what is better').code, 0);
    assert.match(stage.run('plan', 'show', 'r1').out, /say what is better/);
    writeFileSync(
      path.join(stage.home, 'plan.json'),
      JSON.stringify(planOf([{id: 't1'}], {problem: 'It is slow.'})),
    );
    assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'too vague for me').code, 0);
    await stage.until('there is another plan', () => stage.eventsOf('plan-received').length === 2);
    const prompt = stage.prompts()[1]!;
    assert.match(prompt, /too vague for me/);
    assert.match(prompt, /say what is better/);
    assert.match(prompt, /It could be better\./);
    assert.match(stage.run('plan', 'show', 'r1').out, /It is slow\./);
  });

  it('is edited through a file, which is checked, and waits for its approval again', async (t) => {
    const stage = createStage(t, {});
    await stage.objective();
    const old = (stage.json('plan', 'show', 'r1') as {readonly hash: string}).hash;
    const file = path.join(stage.home, 'edited.yaml');
    writeFileSync(
      file,
      'problem: p\nrootCause: r\ntasks:\n  - {id: t1, title: T, brief: B, files: [../out.txt]}\n',
    );
    const wrong = stage.run('plan', 'edit', 'r1', '--file', file);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /out\.txt[\s\S]*the plan was not changed\. Your text is kept: /);
    assert.ok(wrong.err.includes(`kept: ${file}\n`), 'where the person put it');
    const absent = stage.run('plan', 'edit', 'r1', '--file', `${file}.not`);
    assert.deepEqual([absent.code, absent.err], [2, `orchestra: ${file}.not is not there\n`]);
    writeFileSync(
      file,
      'problem: My own words.\nrootCause: r\ntasks:\n  - {id: t1, title: T, brief: B, files: [t1.txt]}\n',
    );
    assert.equal(stage.run('plan', 'edit', 'r1', '--file', file).code, 0);
    const {hash} = stage.json('plan', 'show', 'r1') as {readonly hash: string};
    assert.notEqual(hash, old);
    assert.equal(
      stage.run('plan', 'approve', 'r1', '--hash', old.slice(0, 12)).code,
      2,
      'what was read is not what is there',
    );
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('is approved with the rules that were read: a rules file edited meanwhile has to be read again', async (t) => {
    const stage = createStage(t, {});
    await stage.objective();
    stage.write(
      '.rulesfile.md',
      '# 1. Constraints\n- Be brief. `max-lines: 2`\n\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n',
    );
    const {code, err} = stage.run('plan', 'approve', 'r1');
    assert.equal(code, 1);
    assert.match(err, /the rules changed since you looked; read it again before you approve/);
    assert.match(stage.run('plan', 'show', 'r1').out, /Be brief/);
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.match(stage.prompts().at(-1)!, /Be brief/);
  });

  it('is void when the rules are edited while the workers are at it, and goes on where it was once approved again', async (t) => {
    const stage = createStage(t, {
      tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
      acts: {t1: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt'},
    });
    await stage.objective();
    stage.run('plan', 'approve', 'r1');
    await stage.until('it works', () =>
      stage
        .eventsOf('session-running')
        .some(({session}) =>
          stage
            .eventsOf('session-asked')
            .some((asked) => asked.session === session && asked.purpose.for === 'attempt'),
        ),
    );
    stage.write(
      '.rulesfile.md',
      '# 1. Constraints\n- Be kind.\n\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n',
    );
    writeFileSync(path.join(stage.home, 'go'), '');
    await stage.until('the approval is void', () => stage.eventsOf('approval-voided').length === 1);
    assert.equal(stage.eventsOf('task-merged').length, 0);
    const {out, code} = stage.run('needs');
    assert.equal(code, 3);
    assert.match(out, /rules/);
    const again = stage.run('plan', 'approve', 'r1');
    assert.equal(again.code, 0, again.err);
    await stage.until(
      'what was changed outside is seen, or all is merged',
      () => stage.eventsOf('task-merged').length === 2 || stage.eventsOf('trouble-met').length > 0,
    );
    if (stage.eventsOf('trouble-met').length > 0)
      assert.equal(stage.run('resume', 'r1.t1').code, 0);
    await stage.until('all is merged', () => stage.eventsOf('task-merged').length === 2);
    assert.equal(stage.eventsOf('attempt-started').filter(({task}) => task === 'r1.t1').length, 1);
  });

  it('is approved for the commit that it was made for: when the branch has moved on it is asked again', async (t) => {
    const stage = createStage(t, {});
    await stage.objective();
    stage.write('own.txt', 'mine\n');
    stage.git('add', 'own.txt');
    stage.git('commit', '--quiet', '--message', 'My own');
    const {code, err} = stage.run('plan', 'approve', 'r1');
    assert.equal(code, 1);
    assert.match(err, /the base commit changed since you looked/);
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.equal(stage.git('show', 'orchestra/r1:own.txt'), 'mine\n');
  });

  it('is made anew for what is there now when the branch has moved on: the next planner reads it', async (t) => {
    const stage = createStage(t, {
      acts: {plan: 'ls > "$HOME/seen"; exec sh "$PRETEND/plan-plainly.sh"'},
    });
    await stage.objective();
    stage.write('own.txt', 'mine\n');
    stage.git('add', 'own.txt');
    stage.git('commit', '--quiet', '--message', 'My own');
    assert.equal(stage.run('plan', 'approve', 'r1').code, 1);
    assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'look again').code, 0);
    await stage.until('there is another plan', () => stage.eventsOf('plan-received').length === 2);
    assert.match(readFileSync(path.join(stage.home, 'seen'), 'utf8'), /^own\.txt$/m);
    const main = stage.git('rev-parse', 'main').trim();
    assert.deepEqual(
      stage
        .eventsOf('worktree-renewed')
        .filter(({owner}) => owner === 'r1.plan')
        .map(({owner, commit}) => [owner, commit]),
      [['r1.plan', main]],
    );
    assert.deepEqual(
      [stage.eventsOf('planner-wrote'), stage.eventsOf('plan-received').at(-1)?.tree],
      [[], stage.git('rev-parse', 'main^{tree}').trim()],
    );
    assert.equal(stage.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('of a planner that writes is rejected with the path, and nothing of it reaches the person', async (t) => {
    const stage = createStage(t, {acts: {plan: 'exec sh "$PRETEND/plan-writes.sh"'}});
    const before = pictureOf(stage);
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      stage.eventsOf('planner-wrote').map(({paths}) => paths),
      [['planted-by-planner.txt']],
    );
    assert.match(out, /planted-by-planner\.txt/);
    assert.equal(stage.eventsOf('plan-received').length, 0);
    assert.deepEqual(pictureOf(stage), before);
    stage.act('plan', 'exec sh "$PRETEND/plan-plainly.sh"');
    assert.equal(stage.run('plan', 'again', 'r1').code, 0);
    await stage.until(
      'there is a plan, in a worktree as it was',
      () => stage.eventsOf('plan-received').length === 1,
    );
  });

  it('that is none is asked for once more with its problems, then planning stops and explains', async (t) => {
    const stage = createStage(t, {acts: {plan: 'exec sh "$PRETEND/plan-invalid.sh"'}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3);
    assert.equal(stage.eventsOf('plan-invalid').length, 2);
    assert.match(stage.prompts()[1]!, /rootCause/);
    assert.match(out, /orchestra plan again r1/);
  });

  it('is not believed when the planner fails', async (t) => {
    const stage = createStage(t, {
      acts: {plan: 'sh "$PRETEND/plan-plainly.sh"; echo "no quota left" >&2; exit 4'},
    });
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(
      [stage.eventsOf('planner-failed').length, stage.eventsOf('plan-received').length],
      [1, 0],
    );
  });

  for (const [name, plan] of Object.entries({
    'a path that leads out': planOf([{id: 't1', files: ['../../etc/passwd']}]),
    "git's own files": planOf([{id: 't1', files: ['.git/hooks/post-checkout']}]),
    'an absolute path': planOf([{id: 't1', files: ['/etc/passwd']}]),
    'two tasks of one name': planOf([{id: 't1'}, {id: 't1'}]),
    'a task that waits for itself': planOf([{id: 't1', after: ['t1']}]),
  })) {
    it(`with ${name} is no plan`, async (t) => {
      const stage = createStage(t, {});
      writeFileSync(path.join(stage.home, 'plan.json'), JSON.stringify(plan));
      assert.equal((await stage.objective('--approve')).code, 3);
      assert.equal(stage.eventsOf('plan-received').length, 0);
      assert.equal(stage.eventsOf('plan-invalid').length, 2);
    });
  }
});

function pictureOf({
  git,
  read,
}: {
  readonly git: (...argv: readonly string[]) => string;
  readonly read: (file: string) => string;
}): readonly string[] {
  return [
    git('status', '--porcelain', '--ignored'),
    git('for-each-ref'),
    read('.git/config'),
    git('ls-files', '--stage'),
    git('stash', 'list'),
  ];
}
