import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

const two = [{id: 't1'}, {id: 't2'}];

function subjects(fixture: LoopFixture, range: string): string[] {
  return fixture.git('log', '--reverse', '--topo-order', '--format=%s', range).trim().split('\n');
}

describe('accepting a run in the way that a person wants', () => {
  it('says each thing once in a merge, squashes by the project file, and tells which commit was accepted', async (t) => {
    const fixture = createFixture(t, {tasks: two, project: 'accept: squash\n'});
    const ready = await fixture.objective('--approve');
    assert.equal(ready.code, 0, ready.out + ready.err);
    const [base, head] = [
      fixture.git('rev-parse', 'main').trim(),
      fixture.git('rev-parse', 'orchestra/r1').trim(),
    ];
    assert.match(ready.out, new RegExp(`orchestra accept r1 --commit ${head.slice(0, 12)}\n$`));
    const text = subjects(fixture, 'main..orchestra/r1');
    assert.deepEqual(
      [
        text.length,
        text
          .filter((one) => one.startsWith('Merge r1.t'))
          .every((one) => one.endsWith(': Make it better')),
        new Set(text).size,
      ],
      [4, true, 4],
      text.join('\n'),
    );
    const wrong = fixture.run('accept', 'r1', '--commit', base);
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.err,
      new RegExp(
        `r1 is at ${head} now, not at ${base}: r1\\.t[12] was merged since you looked\\. Look at it again`,
      ),
    );
    for (const bad of [['--squash', '--rebase'], ['--squash=all']])
      assert.equal(fixture.run('accept', 'r1', ...bad).code, 2);
    const done = fixture.run('accept', 'r1', '--commit', head.slice(0, 10));
    assert.equal(done.code, 0, done.err);
    assert.match(
      done.out,
      new RegExp(
        `^r1 is in your branch: [\\da-f]{12} \\(squash, not signed; you accepted ${head.slice(0, 12)}\\)`,
      ),
    );
    assert.deepEqual(subjects(fixture, `${base}..main`), ['Make it better']);
    assert.equal(
      fixture.git('rev-parse', 'main^{tree}'),
      fixture.git('rev-parse', `${head}^{tree}`),
    );
    assert.match(
      fixture.git('log', '-1', '--format=%B', 'main'),
      /\(r1\.t1\)\n- .*\(r1\.t2\)\n\nChecks: test\n\nOrchestra-Run: r1\n/,
    );
    const [asked, accepted] = [
      fixture.eventsOf('accept-asked')[0]!,
      fixture.eventsOf('run-accepted')[0]!,
    ];
    assert.deepEqual(
      [asked.commit, asked.way, accepted.commit, accepted.way],
      [head, 'squash', fixture.git('rev-parse', 'main').trim(), 'squash'],
    );
  });

  it('puts one commit for each task on top of a branch that moved', async (t) => {
    const fixture = createFixture(t, {tasks: two});
    assert.equal((await fixture.objective('--approve')).code, 0);
    fixture.write('mine.txt', 'x\n');
    fixture.git('add', 'mine.txt');
    fixture.git('commit', '-qm', 'meanwhile');
    const tip = fixture.git('rev-parse', 'main').trim();
    const {code, out, err} = fixture.run('accept', 'r1', '--rebase', '--json');
    assert.equal(code, 0, err);
    assert.partialDeepStrictEqual(JSON.parse(out), {
      run: 'r1',
      accepted: true,
      way: 'rebase',
      signed: false,
      already: false,
      commit: fixture.git('rev-parse', 'main').trim(),
    });
    assert.deepEqual(
      [
        subjects(fixture, `${tip}..main`).length,
        fixture.git('rev-list', '--merges', `${tip}..main`),
      ],
      [2, ''],
    );
  });

  it('without a branch it is told at the start what can be done; what the person merged by hand is found; a named branch is made', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'echo more >> t1.txt'}});
    fixture.git('switch', '-q', '--detach');
    assert.equal((await fixture.objective('--approve')).code, 0);
    const rejected = fixture.run('accept', 'r1');
    assert.equal(rejected.code, 1);
    assert.match(
      rejected.err,
      /HEAD was detached.*orchestra accept r1 --into NAME.*git merge orchestra\/r1/s,
    );
    assert.match(
      fixture.run('accept', 'r1', '--into', 'orchestra/x').err,
      /orchestra\/x belongs to orchestra; name a branch of yours/,
    );
    fixture.git('merge', '-q', 'orchestra/r1');
    const done = fixture.run('accept', 'r1');
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /r1 is in your checkout: [\da-f]{12} \(already there/);
    assert.equal((await fixture.objective('--approve')).code, 0);
    const into = fixture.run('accept', 'r2', '--into', 'feature', '--squash');
    assert.equal(into.code, 0, into.err);
    assert.match(into.out, /^r2 is in feature: /);
    assert.equal(
      fixture.git('rev-parse', 'feature^').trim(),
      fixture.git('rev-parse', 'HEAD').trim(),
    );
  });

  it("signs with the person's own key in their terminal, refuses where the project wants it and nobody can, and changes nothing when it fails", async (t) => {
    const fixture = createFixture(t, {tasks: two, project: 'sign: accept\naccept: rebase\n'});
    // Before the run begins: a configuration that changes meanwhile is looked at as an attack.
    const key = path.join(fixture.home, 'key');
    const own = (...argv: readonly string[]): string =>
      fixture.git('config', '--file', path.join(fixture.home, '.gitconfig'), ...argv);
    own('gpg.format', 'ssh');
    own('user.signingKey', `${key}.pub`);
    own('gpg.ssh.allowedSignersFile', path.join(fixture.home, 'signers'));
    assert.equal((await fixture.objective('--approve')).code, 0);
    const base = fixture.git('rev-parse', 'main').trim();
    const failed = fixture.run('accept', 'r1');
    assert.deepEqual(
      [
        failed.code,
        failed.err.includes('not signed, and nothing was changed'),
        fixture.git('rev-parse', 'main').trim(),
      ],
      [2, true, base],
    );
    await assert.rejects(
      fixture.ask({
        about: 'wish',
        wish: {
          type: 'accept-run',
          run: 'r1',
          commit: fixture.git('rev-parse', 'orchestra/r1').trim(),
        },
      }),
      /"sign: accept", but this is not signed/,
    );
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    writeFileSync(
      path.join(fixture.home, 'signers'),
      `* ${execFileSync('cat', [`${key}.pub`], {encoding: 'utf8'})}`,
    );
    const done = fixture.run('accept', 'r1');
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /rebase, signed with your key/);
    assert.equal(fixture.git('log', '--format=%G?', `${base}..main`), 'G\nG\n');
    assert.equal(fixture.eventsOf('run-accepted')[0]!.signed, true);
  });
});
