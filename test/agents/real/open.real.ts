import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {
  selectNeeds,
  selectRun,
  selectSession,
  selectTask,
  type State,
} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {startInTerminal} from '../../system/support/terminal-program.ts';
import type {Script} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {createHarness, type Harness} from './support/harness.ts';
import {typePrompt} from './support/interactive.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');

/** Those whose record of a conversation is a file. */
const withRecord = new Set(['claude', 'codex', 'gemini', 'pi']);

/** It writes a file in its worktree once it is told to. */
const writes =
  (name: string): ((root: string) => Script) =>
  (root) =>
  ({tools, user, results}) => {
    if (tools.length === 0) return {text: 'A title'};
    const {write} = actionNames[name] ?? assert.fail(name);
    const file = path.join(`${root}.worktrees`, 'r1-t1', 'b.txt');
    if (!user.join('\n').includes('Greet everybody.')) return {text: 'I see.'};
    return results.length === 0
      ? {text: 'I write it.', calls: [write(file, 'hello\n')]}
      : {text: 'There it is.'};
  };

/** A repository with one check, and the agent in the sandbox. */
function prepare(harness: Harness, name: string): void {
  const {place, model} = harness;
  writeFileSync(
    path.join(place.root, '.rulesfile.md'),
    '# 1. Validation\n1. It greets. `test: grep --quiet hello b.txt`\n',
  );
  mkdirSync(path.join(place.root, '.orchestra'));
  writeFileSync(
    path.join(place.root, '.orchestra', 'project.yaml'),
    `baseline: false\nsandbox: required\nmodels: {${name}: ${model}}\nenvironment: [SCRIPTED_KEY]\n`,
  );
  for (const argv of [
    ['add', '--all'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'rules'],
  ])
    execFileSync('git', argv, {cwd: place.root, env: place.env});
}

async function openAndAccept(
  {place}: Harness,
  name: string,
  ...options: readonly string[]
): Promise<State> {
  const state = async (): Promise<State> => (await place.ask({about: 'state'})) as State;
  const until = async (
    what: string,
    isSo: (known: State) => boolean | Promise<boolean>,
  ): Promise<State> =>
    eventually(
      what,
      async () => {
        const known = await state();
        return (await isSo(known)) ? known : undefined;
      },
      120_000,
    ).catch(async (error: unknown) => {
      const session = selectRun(await state(), 'r1')?.sessions.at(-1);
      return assert.fail(
        [
          String(error),
          session === undefined ? 'no session' : place.run('explain', session).out,
          JSON.stringify(selectNeeds(await state())),
        ].join('\n'),
      );
    });
  const opened = await place.launch(
    'open',
    'Greet everybody.',
    '--agent',
    name,
    '--interactive',
    '--detach',
    ...options,
  );
  assert.equal(opened.code, 0, opened.err);
  await until('its turn has ended, and it waits for the person', (known) =>
    selectNeeds(known).some(({kind}) => kind === 'turn'),
  );
  assert.equal(place.run('check', 'r1').code, 0);
  const merged = await until(
    'it is merged',
    (known) => selectTask(known, 'r1.t1')?.stage.at === 'merged',
  );
  const accepted = place.run('accept', 'r1');
  assert.equal(accepted.code, 0, accepted.err);
  assert.equal(readFileSync(path.join(place.root, 'b.txt'), 'utf8'), 'hello\n');
  return merged;
}

describe('an agent that is opened without a plan', () => {
  for (const name of names)
    test(`${name}: works, is checked when the person asks, and is accepted`, async (t) => {
      const harness = await createHarness(t, name, writes(name), {asks: false});
      prepare(harness, name);
      await openAndAccept(harness, name);
    });

  for (const name of names.filter((one) => withRecord.has(one)))
    test(`${name}: continues a conversation that the person had in their own checkout`, async (t) => {
      const harness = await createHarness(t, name, writes(name), {asks: false});
      const {place, driver} = harness;
      prepare(harness, name);
      const {env} = place;
      const transcript = driver.interactive?.transcript ?? assert.fail();
      const records = transcript.directory(env['HOME'] ?? '', env);
      const terminal = await startInTerminal(t, harness.argv, {cwd: place.root, env});
      await typePrompt(driver, terminal, 'The word is swordfish.');
      const record = await eventually('it is recorded', () =>
        existsSync(records)
          ? readdirSync(records, {recursive: true, encoding: 'utf8'}).find(
              (one) =>
                one.endsWith('.jsonl') &&
                readFileSync(path.join(records, one), 'utf8').includes('I see.'),
            )
          : undefined,
      );
      const [conversation = assert.fail(record)] =
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(
          name === 'gemini' ? readFileSync(path.join(records, record), 'utf8') : record,
        ) ?? [];
      const before = readFileSync(path.join(records, record), 'utf8');
      const known = await openAndAccept(harness, name, '--resume', conversation);
      const asked = harness.server.asked.findLast(({results}) => results.length > 0);
      assert.match(asked?.user.join('\n') ?? '', /The word is swordfish\.[^]*Greet everybody\./);
      const [session] = (selectRun(known, 'r1')?.sessions ?? [])
        .flatMap((id) => selectSession(known, id) ?? [])
        .filter(({purpose}) => purpose.for === 'attempt');
      assert.deepEqual(
        [session?.conversation, session?.usage.input, session?.usage.output],
        [conversation, 200, 40],
        'only the tokens of the session count',
      );
      assert.equal(readFileSync(path.join(records, record), 'utf8'), before, 'theirs is as it was');
    });
});
