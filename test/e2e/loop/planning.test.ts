import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createFixture, getPlan} from './support/loop-fixture.ts';

describe('the plan of a run', () => {
  it('waits for a person: in a pipe it is printed, with the command that approves it, and nothing is changed', async (t) => {
    const fixture = createFixture(t, {});
    const before = getPicture(fixture);
    const {code, out} = await fixture.objective();
    assert.equal(code, 3);
    assert.match(out, /orchestra plan approve r1\n/);
    assert.deepEqual(getPicture(fixture), before);
    assert.equal(fixture.run('plan', 'show', 'r1').code, 3);
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('that is rejected is planned again with the reason and the comments, each beside its line', async (t) => {
    const fixture = createFixture(t, {});
    await fixture.objective();
    assert.equal(fixture.run('plan', 'comment', 'r1', '4', 'say what is better').code, 0);
    assert.match(fixture.run('plan', 'show', 'r1').out, /say what is better/);
    writeFileSync(
      path.join(fixture.home, 'plan.json'),
      JSON.stringify(getPlan([{id: 't1'}], {problem: 'It is slow.'})),
    );
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'too vague for me').code, 0);
    await fixture.until(
      'there is another plan',
      () => fixture.eventsOf('plan-received').length === 2,
    );
    const prompt = fixture.prompts()[1]!;
    assert.match(prompt, /too vague for me/);
    assert.match(prompt, /say what is better/);
    assert.match(prompt, /It could be better\./);
    assert.match(fixture.run('plan', 'show', 'r1').out, /It is slow\./);
  });

  it('is edited through a file, which is checked, and waits for its approval again', async (t) => {
    const fixture = createFixture(t, {});
    await fixture.objective();
    const old = (fixture.json('plan', 'show', 'r1') as {readonly hash: string}).hash;
    const file = path.join(fixture.home, 'edited.yaml');
    writeFileSync(
      file,
      'problem: p\nrootCause: r\ntasks:\n  - {id: t1, title: T, brief: B, files: [../out.txt]}\n',
    );
    const wrong = fixture.run('plan', 'edit', 'r1', '--file', file);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /out\.txt[\s\S]*the plan was not changed\. Your text is saved: /);
    assert.ok(wrong.err.includes(`saved: ${file}\n`), 'where the person put it');
    const absent = fixture.run('plan', 'edit', 'r1', '--file', `${file}.not`);
    assert.deepEqual([absent.code, absent.err], [2, `orchestra: ${file}.not is not there\n`]);
    writeFileSync(
      file,
      'problem: My own words.\nrootCause: r\ntasks:\n  - {id: t1, title: T, brief: B, files: [t1.txt]}\n',
    );
    assert.equal(fixture.run('plan', 'edit', 'r1', '--file', file).code, 0);
    const {hash} = fixture.json('plan', 'show', 'r1') as {readonly hash: string};
    assert.notEqual(hash, old);
    assert.equal(
      fixture.run('plan', 'approve', 'r1', '--hash', old.slice(0, 12)).code,
      2,
      'what was read is not what is there',
    );
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('is approved with the rules that were read: a rules file edited meanwhile has to be read again', async (t) => {
    const fixture = createFixture(t, {});
    await fixture.objective();
    fixture.write(
      '.rulesfile.md',
      '# 1. Constraints\n- Be brief. `max-lines: 2`\n\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n',
    );
    const {code, err} = fixture.run('plan', 'approve', 'r1');
    assert.equal(code, 1);
    assert.match(err, /the rules changed since you looked; read it again before you approve/);
    assert.match(fixture.run('plan', 'show', 'r1').out, /Be brief/);
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.match(fixture.prompts().at(-1)!, /Be brief/);
  });

  it('is void when the rules are edited while the workers are at it, and continues once it is approved again', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
      acts: {t1: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt'},
    });
    await fixture.objective();
    fixture.run('plan', 'approve', 'r1');
    await fixture.until('it works', () =>
      fixture
        .eventsOf('session-running')
        .some(({session}) =>
          fixture
            .eventsOf('session-asked')
            .some((asked) => asked.session === session && asked.purpose.for === 'attempt'),
        ),
    );
    fixture.write(
      '.rulesfile.md',
      '# 1. Constraints\n- Be kind.\n\n# 2. Validation\n1. Nothing is red. `test: sh check.sh`\n',
    );
    writeFileSync(path.join(fixture.home, 'go'), '');
    await fixture.until(
      'the approval is void',
      () => fixture.eventsOf('approval-voided').length === 1,
    );
    assert.equal(fixture.eventsOf('task-merged').length, 0);
    const {out, code} = fixture.run('needs');
    assert.equal(code, 3);
    assert.match(out, /rules/);
    const again = fixture.run('plan', 'approve', 'r1');
    assert.equal(again.code, 0, again.err);
    await fixture.until(
      'what was changed outside is seen, or all is merged',
      () =>
        fixture.eventsOf('task-merged').length === 2 || fixture.eventsOf('trouble-met').length > 0,
    );
    if (fixture.eventsOf('trouble-met').length > 0)
      assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until('all is merged', () => fixture.eventsOf('task-merged').length === 2);
    assert.equal(
      fixture.eventsOf('attempt-started').filter(({task}) => task === 'r1.t1').length,
      1,
    );
  });

  it('is approved for the commit that it was made for: when the branch has moved on it is asked again', async (t) => {
    const fixture = createFixture(t, {});
    await fixture.objective();
    fixture.write('own.txt', 'mine\n');
    fixture.git('add', 'own.txt');
    fixture.git('commit', '--quiet', '--message', 'My own');
    const {code, err} = fixture.run('plan', 'approve', 'r1');
    assert.equal(code, 1);
    assert.match(err, /the base commit changed since you looked/);
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
    assert.equal(fixture.git('show', 'orchestra/r1:own.txt'), 'mine\n');
  });

  it('is made again for the new commit when the branch has moved: the next planner reads it', async (t) => {
    const fixture = createFixture(t, {
      acts: {plan: 'ls > "$HOME/seen"; exec sh "$PRETEND/plan-plainly.sh"'},
    });
    await fixture.objective();
    fixture.write('own.txt', 'mine\n');
    fixture.git('add', 'own.txt');
    fixture.git('commit', '--quiet', '--message', 'My own');
    assert.equal(fixture.run('plan', 'approve', 'r1').code, 1);
    assert.equal(fixture.run('plan', 'reject', 'r1', '--reason', 'look again').code, 0);
    await fixture.until(
      'there is another plan',
      () => fixture.eventsOf('plan-received').length === 2,
    );
    assert.match(readFileSync(path.join(fixture.home, 'seen'), 'utf8'), /^own\.txt$/m);
    const main = fixture.git('rev-parse', 'main').trim();
    assert.deepEqual(
      fixture
        .eventsOf('worktree-renewed')
        .filter(({owner}) => owner === 'r1.plan')
        .map(({owner, commit}) => [owner, commit]),
      [['r1.plan', main]],
    );
    assert.deepEqual(
      [fixture.eventsOf('planner-wrote'), fixture.eventsOf('plan-received').at(-1)?.tree],
      [[], fixture.git('rev-parse', 'main^{tree}').trim()],
    );
    assert.equal(fixture.run('plan', 'approve', 'r1', '--follow').code, 0);
  });

  it('of a planner that writes is rejected with the path, and nothing of it reaches the person', async (t) => {
    const fixture = createFixture(t, {acts: {plan: 'exec sh "$PRETEND/plan-writes.sh"'}});
    const before = getPicture(fixture);
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      fixture.eventsOf('planner-wrote').map(({paths}) => paths),
      [['planted-by-planner.txt']],
    );
    assert.match(out, /planted-by-planner\.txt/);
    assert.equal(fixture.eventsOf('plan-received').length, 0);
    assert.deepEqual(getPicture(fixture), before);
    fixture.act('plan', 'exec sh "$PRETEND/plan-plainly.sh"');
    assert.equal(fixture.run('plan', 'again', 'r1').code, 0);
    await fixture.until(
      'there is a plan, in a worktree as it was',
      () => fixture.eventsOf('plan-received').length === 1,
    );
  });

  it('that is none is asked for once more with its problems, then planning stops and explains', async (t) => {
    const fixture = createFixture(t, {acts: {plan: 'exec sh "$PRETEND/plan-invalid.sh"'}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.equal(fixture.eventsOf('plan-invalid').length, 2);
    assert.match(fixture.prompts()[1]!, /rootCause/);
    assert.match(out, /orchestra plan again r1/);
  });

  it('is not believed when the planner fails', async (t) => {
    const fixture = createFixture(t, {
      acts: {plan: 'sh "$PRETEND/plan-plainly.sh"; echo "no quota left" >&2; exit 4'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(
      [fixture.eventsOf('planner-failed').length, fixture.eventsOf('plan-received').length],
      [1, 0],
    );
  });

  for (const [name, plan] of Object.entries({
    'a path that leads out': getPlan([{id: 't1', files: ['../../etc/passwd']}]),
    "git's own files": getPlan([{id: 't1', files: ['.git/hooks/post-checkout']}]),
    'an absolute path': getPlan([{id: 't1', files: ['/etc/passwd']}]),
    'two tasks of one name': getPlan([{id: 't1'}, {id: 't1'}]),
    'a task that waits for itself': getPlan([{id: 't1', after: ['t1']}]),
  })) {
    it(`with ${name} is no plan`, async (t) => {
      const fixture = createFixture(t, {});
      writeFileSync(path.join(fixture.home, 'plan.json'), JSON.stringify(plan));
      assert.equal((await fixture.objective('--approve')).code, 3);
      assert.equal(fixture.eventsOf('plan-received').length, 0);
      assert.equal(fixture.eventsOf('plan-invalid').length, 2);
    });
  }
});

function getPicture({
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
