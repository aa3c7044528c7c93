import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {execFileSync} from 'node:child_process';
import {selectRun, selectSession, selectTask, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {actionNames} from './support/action-names.ts';
import {createHarness} from './support/harness.ts';
import {plan} from './support/prompts.ts';

test('claude: an attempt fails twice, a person takes over the same conversation, types, hands back, and it is validated', async (t) => {
  const write = actionNames['claude']?.write ?? assert.fail();
  let worktree = '';
  const {place, server, model} = await createHarness(
    t,
    'claude',
    () =>
      ({tools, user, results}) => {
        const text = user.join('\n');
        if (tools.length === 0) return {text: 'A title'};
        if (!text.includes('# Task t1'))
          return {
            text: `\`\`\`json\n${JSON.stringify({...plan, validation: [{name: 'test', command: 'grep -q hello b.txt'}]})}\n\`\`\``,
          };
        if (text.includes('Now write hello.'))
          return results.some((result) => result.includes('b.txt')) && results.length >= 3
            ? {text: 'There it is.'}
            : {text: 'I write it.', calls: [write(path.join(worktree, 'b.txt'), 'hello\n')]};
        // What it writes by itself is never right.
        worktree = /(\/\S+\.worktrees\/[\w.-]+)/.exec(text)?.[1] ?? worktree;
        const tries = text.split('# Task t1').length - 1;
        return results.length < tries
          ? {
              text: 'I write it.',
              calls: [write(path.join(worktree, 'b.txt'), `wrong ${results.length}\n`)],
            }
          : {text: 'There it is.'};
      },
  );
  writeFileSync(
    path.join(place.root, '.rulesfile.md'),
    '# 1. Code\n- Edit few files. `max-files: 8`\n',
  );
  mkdirSync(path.join(place.root, '.orchestra'));
  writeFileSync(
    path.join(place.root, '.orchestra', 'project.yaml'),
    `sandbox: off\nbaseline: false\nmodels: {claude: ${model}}\n`,
  );
  execFileSync('git', ['add', '--all'], {cwd: place.root, env: place.env});
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'rules'],
    {cwd: place.root, env: place.env},
  );
  const state = async (): Promise<State> => (await place.ask({about: 'state'})) as State;
  const task = async (): Promise<ReturnType<typeof selectTask>> =>
    selectTask(await state(), 'r1.t1');
  const run = await place.launch('run', 'Greet everybody.', '--agent', 'claude', '--approve');
  assert.equal(run.code, 3, `${run.out}\n${run.err}`);
  assert.equal((await task())?.stage.at, 'stopped', run.out);
  const known = await state();
  const conversation =
    (selectRun(known, 'r1')?.sessions ?? [])
      .flatMap((id) => selectSession(known, id)?.conversation ?? [])
      .at(-1) ?? assert.fail('no conversation is known');
  assert.equal(
    server.asked.every((asked) => asked.model === model),
    true,
  );

  const taken = place.run('takeover', 'r1.t1');
  assert.equal(taken.code, 0, taken.err);
  const session = await eventually('its own screen is there', async () => {
    const stage = (await task())?.stage;
    return stage?.at === 'taken-over' ? stage.session : undefined;
  });
  const explain = (): string => place.run('explain', session).out;
  assert.match(explain(), new RegExp(`--resume ${conversation}`));
  // Nobody is attached: what a person types goes in by `send`, once the agent takes it.
  await eventually('it takes a prompt', () => explain().includes('❯'), 60_000).catch(
    (error: unknown) => assert.fail(`${String(error)}\n${explain()}`),
  );
  assert.equal(place.run('send', session, 'Now write hello.', '--no-enter').code, 0);
  await eventually('it stands there', () => explain().includes('Now write hello.'), 20_000);
  assert.equal(place.run('send', session, '').code, 0);
  const asking = await eventually(
    'it asks before it writes',
    async () => selectSession(await state(), session)?.waiting?.options,
    60_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${explain()}`));
  assert.equal(asking[0], 'Yes');
  assert.equal(place.run('send', session, '1').code, 0);
  await eventually(
    'it wrote it',
    () => readFileSync(path.join(worktree, 'b.txt'), 'utf8') === 'hello\n',
    30_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${explain()}`));
  const back = place.run('resume', 'r1.t1');
  assert.equal(back.code, 0, back.err);
  await eventually(
    'it is validated and merged',
    async () => (await task())?.stage.at === 'merged',
    60_000,
  ).catch(async (error: unknown) =>
    assert.fail(`${String(error)}\n${JSON.stringify((await task())?.stage)}`),
  );
  assert.deepEqual(
    (await task())?.attempts.map(({by, step}) => [by, step.at]),
    [
      ['agent', 'failed'],
      ['agent', 'failed'],
      ['person', 'passed'],
    ],
  );
});
