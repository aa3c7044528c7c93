import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {
  selectNeeds,
  selectSession,
  selectTask,
  type SessionId,
  type State,
  type TaskMessage,
} from '../../../source/domain/index.ts';
import {connectKeeper} from '../../../source/keeper/index.ts';
import {eventually} from '../../support/eventually.ts';
import {end, type Outcome} from '../../daemon/support/daemon-fixture.ts';
import {
  createFixture,
  type LoopFixture,
  pretendAgents,
  type StageOptions,
} from './support/loop-fixture.ts';

const conversation = '00000000-0000-4000-8000-000000000001';
const task = 'r1.t1';

type Fixture = LoopFixture & {
  /** The directory in which the pretend agent notes what it gets, and is sent what to do. */
  readonly place: string;
  readonly noted: () => readonly Readonly<Record<string, string>>[];
  readonly worker: () => SessionId;
  readonly message: (state: State, number?: number) => TaskMessage | undefined;
  readonly press: (keys: string) => Promise<void>;
};

function openFixture(t: TestContext, claude: string, more: StageOptions = {}): Fixture {
  const fixture = createFixture(t, {env: {}, ...more});
  const place = path.join(fixture.home, 'claude');
  mkdirSync(place);
  writeFileSync(path.join(place, 'claude'), claude.replaceAll('PLACE', place));
  chmodSync(path.join(place, 'claude'), 0o755);
  (fixture.env as Record<string, string>)['PATH'] = `${place}:${fixture.env['PATH'] ?? ''}`;
  const log = path.join(place, 'log');
  const worker = (): SessionId =>
    fixture.eventsOf('session-asked').findLast(({purpose}) => purpose.for === 'attempt')?.session ??
    assert.fail('no worker was started');
  return {
    ...fixture,
    place,
    worker,
    noted: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
        : [],
    message: (state, number = 1) =>
      selectTask(state, task)?.messages?.find((one) => one.number === number),
    press: async (keys) => {
      const launch = JSON.parse(
        readFileSync(path.join(fixture.directoryOf(worker()), 'launch.json'), 'utf8'),
      ) as {readonly socket: string; readonly token: string};
      const link = await connectKeeper({...launch, session: worker()} as never, {});
      link.press(Buffer.from(keys));
      await link.ask({type: 'status'});
      link.close();
    },
  };
}

describe('a message to an agent in its own interface', () => {
  const program = `#!/bin/sh\nexec ${process.execPath} ${path.join(pretendAgents, 'own-interface.mjs')} PLACE "$@"\n`;

  /** The agent has its prompt and works. */
  async function atWork(
    t: TestContext,
    more = {},
  ): Promise<Fixture & {readonly ended: Promise<Outcome>}> {
    const fixture = openFixture(t, program, more);
    const run = fixture.objective(
      ...['--agent', 'claude', '--planner', 'pretend', '--interactive', '--approve'],
    );
    await eventually('it works', () => fixture.noted().some(({took}) => took !== undefined));
    await fixture.until(
      'its prompt is known to be taken',
      (state) => selectSession(state, fixture.worker())?.turn?.at === 'open',
    );
    return {...fixture, ended: run};
  }

  const finish = ({place}: Fixture, text = 'better\n'): void => {
    writeFileSync(path.join(place, 'finish'), text);
  };
  const taken = ({noted}: Fixture): readonly (readonly unknown[])[] =>
    noted()
      .filter(({took}) => took !== undefined)
      .slice(1)
      .map(({took, while: meanwhile}) => [took, meanwhile]);

  it('is typed while it works, once', async (t) => {
    const fixture = await atWork(t);
    const {code, out, err} = await fixture.launch('tell', task, 'Mind the tests.\nAll of them.');
    assert.equal(code, 0, err);
    assert.match(out, /^r1\.t1: delivered: typed into s\d+\n$/);
    assert.deepEqual(taken(fixture), [['Mind the tests.\nAll of them.', 'working']]);
    finish(fixture);
    assert.equal((await fixture.ended).code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(taken(fixture).length, 1);
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
  });

  it('waits for a dialog and for unfinished text, which it leaves alone', async (t) => {
    const fixture = await atWork(t);
    writeFileSync(path.join(fixture.place, 'ask'), '');
    await fixture.until('it asks', (state) =>
      selectNeeds(state).some((need) => need.kind === 'question' && need.options !== undefined),
    );
    const sent = fixture.launch('tell', task, 'Mind the tests.', '--json');
    await fixture.until(
      'it waits for the dialog',
      (state) => fixture.message(state)?.held?.why === 'dialog',
    );
    assert.ok(!fixture.noted().some(({answered}) => answered !== undefined));
    await fixture.press('1');
    await eventually('the dialog is answered', () =>
      fixture.noted().some(({answered}) => answered === '1'),
    );
    // The answer is a key, so nothing is typed for a moment.
    await fixture.press('my own wo');
    const held = await fixture.until(
      'it waits for the text',
      (state) => fixture.message(state)?.held?.why === 'draft',
    );
    assert.ok(selectNeeds(held).some(({kind}) => kind === 'draft'));
    await fixture.press('rds\r');
    const {code, out} = await sent;
    assert.equal(code, 0);
    const {task: of, fate, how, text} = JSON.parse(out) as Record<string, string>;
    assert.deepEqual([of, fate, how, text], [task, 'delivered', 'typed', 'Mind the tests.']);
    assert.deepEqual(taken(fixture), [
      ['my own words', 'working'],
      ['Mind the tests.', 'working'],
    ]);
    finish(fixture);
    assert.equal((await fixture.ended).code, 0);
  });

  it('opens its work again while that is checked, and costs no attempt', async (t) => {
    const fixture = await atWork(t, {
      rules: `# 1. Validation\n1. It may end. \`test: sh wait.sh\`\n`,
      files: {'wait.sh': 'while [ -e "$HOME/hold" ]; do sleep 0.05; done\n'},
    });
    writeFileSync(path.join(fixture.home, 'hold'), '');
    finish(fixture);
    await fixture.until('it is checked', (state) => {
      const step = selectTask(state, task)?.attempts.at(-1)?.step;
      return step?.at === 'checking' && step.session !== undefined;
    });
    assert.equal((await fixture.launch('tell', task, 'And the docs.')).code, 0);
    assert.deepEqual(taken(fixture), [['And the docs.', 'waiting']]);
    await fixture.until(
      'it works again',
      (state) => selectTask(state, task)?.attempts.at(-1)?.step.at === 'working',
    );
    assert.equal(fixture.eventsOf('attempt-reopened').length, 1);
    finish(fixture, 'better still\n');
    await fixture.until(
      'its work is done again',
      () => fixture.eventsOf('turn-ended').length === 2,
    );
    rmSync(path.join(fixture.home, 'hold'));
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
    assert.equal((await fixture.ended).code, 0);
  });

  it('survives the daemon, before and after it was typed', async (t) => {
    const fixture = await atWork(t);
    await fixture.press('my own');
    const sent = fixture.launch('tell', task, 'Mind the tests.');
    await fixture.until(
      'it waits for the text',
      (state) => fixture.message(state)?.held?.why === 'draft',
    );
    await fixture.killDaemon('SIGKILL');
    await fixture.state();
    assert.deepEqual(taken(fixture), []);
    await fixture.press(' words\r');
    await fixture.until('it is delivered', (state) => fixture.message(state)?.fate === 'delivered');
    await sent;
    await fixture.killDaemon('SIGKILL');
    await fixture.state();
    finish(fixture);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    await fixture.ended;
    assert.deepEqual(
      taken(fixture).map(([text]) => text),
      ['my own words', 'Mind the tests.'],
    );
  });

  it('is reported and not typed again by a daemon that was killed while it typed', async (t) => {
    const fixture = await atWork(t);
    await fixture.press('my own');
    void fixture.launch('tell', task, 'Mind the tests.');
    await fixture.until(
      'it waits for the text',
      (state) => fixture.message(state)?.held?.why === 'draft',
    );
    await fixture.killDaemon('SIGKILL');
    writeFileSync(path.join(fixture.directoryOf(fixture.worker()), 'message-1.begun'), '');
    await fixture.press(' words\r');
    const state = await fixture.until(
      'it is given up',
      (known) => fixture.message(known)?.fate === 'failed',
    );
    assert.match(fixture.message(state)?.why ?? '', /uncertain whether its agent got it/);
    assert.deepEqual(taken(fixture).length, 1);
    finish(fixture);
    await fixture.ended;
  });

  it('that waits goes into the prompt of the next session, if its own is killed', async (t) => {
    const fixture = await atWork(t);
    const first = fixture.worker();
    await fixture.press('my own words');
    const sent = fixture.launch('tell', task, 'Mind the tests.');
    await fixture.until(
      'it waits for the text',
      (state) => fixture.message(state)?.held?.why === 'draft',
    );
    end(fixture.metaOf(first).pid, fixture.home);
    assert.match((await sent).out, /queued for the next prompt: /);
    await fixture.until('it is delivered', (state) => fixture.message(state)?.fate === 'delivered');
    assert.notEqual(fixture.worker(), first);
    assert.match(String(taken(fixture)[0]?.[0]), /Mind the tests\./);
    finish(fixture);
    assert.equal((await fixture.ended).code, 0);
  });
});

describe('a message to a headless agent', () => {
  // An older version, without a channel. It works until it is ended, or, when it is resumed, until it may finish.
  const program = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit; }
case "$*" in *--replay-user-messages*) echo "error: unknown option '--replay-user-messages'" >&2; exit 1 ;; esac
prompt=$(cat | tr '\\n' ' ' | tr -d '"\\\\')
case "$*" in *--resume*) how=resumed ;; *) how=started ;; esac
printf '{"%s":"%s"}\\n' $how "$prompt" >> PLACE/log
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"${conversation}","model":"m","tools":[]}'
printf '%s\\n' '{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I begin."}],"usage":{"input_tokens":100,"output_tokens":20}},"session_id":"${conversation}"}'
touch PLACE/working
while [ ! -e PLACE/finish ]; do sleep 0.05; done
cat PLACE/finish > t1.txt
rm PLACE/finish
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"There it is.","session_id":"${conversation}","usage":{"input_tokens":200,"output_tokens":40},"total_cost_usd":0.01}'
`;

  async function atWork(t: TestContext): Promise<Fixture & {readonly ended: Promise<Outcome>}> {
    const fixture = openFixture(t, program);
    const run = fixture.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
    await eventually('it works', () => existsSync(path.join(fixture.place, 'working')));
    return {...fixture, ended: run};
  }

  const finish = ({place}: Fixture, text = 'better\n'): void => {
    writeFileSync(path.join(place, 'finish'), text);
  };
  const resumed = ({noted}: Fixture): readonly string[] =>
    noted().flatMap((line) => line['resumed'] ?? []);

  it('ends it and resumes its conversation with it, in the same session and attempt', async (t) => {
    const fixture = await atWork(t);
    const {code, out, err} = await fixture.launch('tell', 'r1', 'Mind the tests.');
    assert.equal(code, 0, err);
    assert.match(
      out,
      /^r1\.t1: delivered: the agent of s\d+ was restarted with it, in the same conversation\n$/,
    );
    assert.equal(resumed(fixture).length, 1);
    assert.match(resumed(fixture)[0] ?? '', /Mind the tests\./);
    finish(fixture);
    assert.equal((await fixture.ended).code, 0);
    const state = await fixture.state();
    assert.deepEqual(selectSession(state, fixture.worker())?.usage, {
      input: 300,
      output: 60,
      cost: 0.01,
    });
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
    assert.equal(fixture.eventsOf('attempt-interrupted').length, 0);
  });

  it('is not given again by a daemon that is killed, at any moment', async (t) => {
    const fixture = await atWork(t);
    for (const number of [1, 2, 3]) {
      const sent = fixture.launch('tell', task, `Message ${number}.`);
      await eventually('it is asked', () => fixture.eventsOf('message-asked').length === number);
      await fixture.killDaemon('SIGKILL');
      const state = await fixture.until('its fate is known', (known) =>
        ['delivered', 'failed'].includes(fixture.message(known, number)?.fate ?? ''),
      );
      assert.equal(fixture.message(state, number)?.fate, 'delivered');
      await sent;
    }

    assert.deepEqual(
      resumed(fixture).map((text) => /Message \d/.exec(text)?.[0]),
      ['Message 1', 'Message 2', 'Message 3'],
    );
    finish(fixture);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    await fixture.ended;
  });

  it('is given once, whichever process is killed', async (t) => {
    const fixture = await atWork(t);
    const first = fixture.worker();
    const sent = fixture.launch('tell', task, 'Mind the tests.');
    await eventually('it is on its way', () => fixture.eventsOf('message-asked').length === 1);
    end(fixture.metaOf(first).pid, fixture.home);
    const state = await fixture.until('its fate is known', (known) =>
      ['delivered', 'failed'].includes(fixture.message(known)?.fate ?? ''),
    );
    await eventually('another session works', () => fixture.worker() !== first);
    await sent;
    const {fate} = fixture.message(state) ?? assert.fail();
    const prompts = (): readonly string[] => fixture.noted().flatMap((line) => Object.values(line));
    await eventually('it was started again', () => prompts().length >= 2);
    finish(fixture);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    await fixture.ended;
    const count = prompts().filter((text) => text.includes('Mind the tests.')).length;
    if (fate === 'delivered') assert.equal(count, 1);
    else assert.ok(count <= 1, `it was given ${count} times`);
  });
});

describe('a message to a headless agent with a channel', () => {
  // It says what it reads, and works until it may finish.
  const program = `#!/usr/bin/env node
const {appendFileSync, existsSync, readFileSync, rmSync, writeFileSync} = require('node:fs');
if (process.argv[2] === '--version') { console.log('2.1.325 (Claude Code)'); process.exit(); }
const print = (record) => process.stdout.write(JSON.stringify({session_id: '${conversation}', ...record}) + '\\n');
let isFirst = true;
print({type: 'system', subtype: 'init', model: 'm', tools: []});
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const {content} = JSON.parse(line).message;
  appendFileSync('PLACE/log', JSON.stringify({[isFirst ? 'prompt' : 'message']: content[0].text}) + '\\n');
  isFirst = false;
  print({type: 'user', message: {content}, isReplay: true});
  print({type: 'assistant', message: {id: 'm1', content: [{type: 'text', text: 'I work.'}], usage: {input_tokens: 100, output_tokens: 20}}});
}).on('close', () => process.exit());
setInterval(() => {
  if (!existsSync('PLACE/finish')) return;
  writeFileSync('t1.txt', readFileSync('PLACE/finish'));
  rmSync('PLACE/finish');
  print({type: 'result', subtype: 'success', is_error: false, result: 'There it is.', usage: {input_tokens: 200, output_tokens: 40}, total_cost_usd: 0.01});
}, 20);
`;

  async function atWork(t: TestContext): Promise<Fixture & {readonly ended: Promise<Outcome>}> {
    const fixture = openFixture(t, program);
    const ended = fixture.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
    await eventually('it works', () => fixture.noted().length === 1);
    return {...fixture, ended};
  }

  const finish = ({place}: Fixture): void => {
    writeFileSync(path.join(place, 'finish'), 'better\n');
  };
  const messages = ({noted}: Fixture): readonly string[] =>
    noted().flatMap(({message}) => (message === undefined ? [] : [message]));

  it('is read while it works, and nothing is started again', async (t) => {
    const fixture = await atWork(t);
    const {code, out, err} = await fixture.launch('tell', 'r1', 'Mind the tests.');
    assert.equal(code, 0, err);
    assert.match(out, /^r1\.t1: delivered: s\d+ got it while it works\n$/);
    assert.equal(messages(fixture).length, 1);
    assert.match(messages(fixture)[0] ?? '', /sends you this message:\n\nMind the tests\./);
    finish(fixture);
    assert.equal((await fixture.ended).code, 0);
    assert.deepEqual(selectSession(await fixture.state(), fixture.worker())?.usage, {
      input: 200,
      output: 40,
      cost: 0.01,
    });
    assert.equal(fixture.noted().length, 2);
  });

  it('is given once, when the daemon is killed and when the agent is', async (t) => {
    const fixture = await atWork(t);
    const first = fixture.worker();
    for (const number of [1, 2, 3]) {
      const sent = fixture.launch('tell', task, `Message ${number}.`);
      await eventually('it is asked', () => fixture.eventsOf('message-asked').length === number);
      if (number < 3) await fixture.killDaemon('SIGKILL');
      else end(fixture.metaOf(first).pid, fixture.home);
      await fixture.until('its fate is known', (known) =>
        ['delivered', 'failed'].includes(fixture.message(known, number)?.fate ?? ''),
      );
      await sent;
    }

    await eventually('another session works', () => fixture.worker() !== first);
    const state = await fixture.until(
      'it has its prompt',
      () => fixture.noted().filter(({prompt}) => prompt !== undefined).length === 2,
    );
    finish(fixture);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    await fixture.ended;
    const all = fixture.noted().flatMap((line) => Object.values(line));
    for (const number of [1, 2, 3]) {
      const count = all.filter((text) => text.includes(`Message ${number}.`)).length;
      if (fixture.message(state, number)?.fate === 'delivered') assert.equal(count, 1);
      else assert.ok(count <= 1, `message ${number} was given ${count} times`);
    }
  });
});

describe('a message that no worker can read now', () => {
  it('is refused with what helps, or goes into the next prompt', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'echo red > t1.txt'}});
    const {code} = await fixture.objective('--approve');
    assert.notEqual(code, 0);
    const stopped = fixture.run('tell', task, 'Mind the tests.');
    assert.equal(stopped.code, 1);
    assert.match(stopped.err, /r1\.t1 is stopped.*orchestra grant r1\.t1 --hint/);
    assert.match(fixture.run('tell', 'r1', 'x').err, /no worker runs in r1 now; name a task/);
    assert.match(fixture.run('tell', 'r9.t1', 'x').err, /there is no task r9\.t1/);
    assert.match(fixture.run('tell', task, ' ').err, /a message needs text/);
    assert.match(fixture.run('tell', task, 'red \u001B[31m').err, /no control characters/);
  });

  it('waits for the next prompt of an agent that takes none while it works', async (t) => {
    const fixture = createFixture(t, {
      acts: {
        t1: 'touch "$HOME/working"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; if [ -e "$HOME/once" ]; then echo better > t1.txt; else touch "$HOME/once"; echo red > t1.txt; fi',
      },
    });
    const run = fixture.objective('--approve');
    await eventually('it works', () => existsSync(path.join(fixture.home, 'working')));
    const {code, out} = await fixture.launch('tell', task, 'Mind the tests.');
    assert.equal(code, 0);
    assert.match(out, /queued for the next prompt: its agent takes no messages while it works/);
    writeFileSync(path.join(fixture.home, 'go'), '');
    assert.equal((await run).code, 0);
    const prompts = fixture.prompts().filter((text) => text.includes('Mind the tests.'));
    assert.equal(prompts.length, 1);
    const message = selectTask(await fixture.state(), task)?.messages?.[0];
    assert.deepEqual([message?.fate, message?.how], ['delivered', 'prompt']);
  });
});
