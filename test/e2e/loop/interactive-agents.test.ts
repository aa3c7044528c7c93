import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {spawn} from 'node-pty';
import {selectSession, type SessionId, selectTask} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {end, launcher, processesIn} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';
import {openThreeConversations, readNoted} from './support/three-conversations.ts';

const program = path.join(pretendAgents, 'typed.mjs');

/** Ends `orchestra attach`. */
const leave = '\u001D';
const backspace = '\u007F';

/** Red until the agent has written what is right, which it does at its second prompt. */
const redFirst = '# 1. Validation\n1. It is better. `test: grep --quiet better b.txt`\n';

/** The check begins, says so, and waits until the test lets it go on. */
const waitingCheck = `# 1. Validation\n1. It is better. \`test: sh wait.sh\`\n`;

type InteractiveFixture = LoopFixture & {
  /** `orchestra run --interactive --approve`; ends when the run waits for a person. */
  readonly begin: () => Promise<number | null>;
  /** The prompts that reached the agent, in order, by its own record. */
  readonly typed: () => readonly string[];
  readonly noted: () => readonly Readonly<Record<string, unknown>>[];
  readonly worker: () => Promise<SessionId>;
  /** The sources of the ends of its turns. */
  readonly ends: () => readonly string[];
};

type AgentOptions = {
  readonly rules?: string;
  readonly project?: string;
  readonly minute?: string;
  readonly files?: Readonly<Record<string, string>>;
};

/** One task of an agent that is declared as `typed`, with these flags. */
function createInteractive(
  t: TestContext,
  flags: readonly string[],
  {rules, project, minute, files}: AgentOptions = {},
): InteractiveFixture {
  const fixture = createFixture(t, {
    tasks: [{id: 't1', files: ['b.txt']}],
    ...(rules === undefined ? {} : {rules}),
    ...(project === undefined ? {} : {project}),
    ...(files === undefined ? {} : {files}),
    env: minute === undefined ? {} : {ORCHESTRA_MINUTE_MS: minute},
  });
  const record = path.join(fixture.home, 'typed.jsonl');
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    `${fixture.read('.orchestra/project.yaml')}  typed: {plan: [${program}], work: [env, TYPED=${record}, ${[program, ...flags].join(', ')}], prompt: typed, patterns: {ready: '^>', question: '^May I '}}\n`,
  );
  fixture.git('commit', '--quiet', '--all', '--message', 'An agent');
  const noted = (): readonly Readonly<Record<string, unknown>>[] =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .split('\n')
          // The last piece is empty, or a line that is just being written.
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      : [];
  return {
    ...fixture,
    noted,
    begin: async () =>
      (
        await fixture.objective(
          '--agent',
          'typed',
          '--planner',
          'pretend',
          '--interactive',
          '--approve',
        )
      ).code,
    typed: () => noted().flatMap(({prompt}) => (typeof prompt === 'string' ? [prompt] : [])),
    worker: () =>
      eventually(
        'the worker is asked for',
        () =>
          fixture.eventsOf('session-asked').find(({purpose}) => purpose.for === 'attempt')?.session,
      ),
    ends: () => fixture.eventsOf('turn-ended').map(({source}) => source),
  };
}

/** A person's keys in `orchestra attach`. */
function attachTo(
  t: TestContext,
  fixture: LoopFixture,
  session: SessionId,
): {readonly type: (text: string) => void; readonly shown: () => string} {
  const pty = spawn(process.execPath, [launcher, 'attach', session], {
    cwd: fixture.root,
    env: fixture.env,
    cols: 80,
    rows: 24,
  });
  let [text, isOver] = ['', false];
  pty.onData((piece) => {
    text += piece;
  });
  pty.onExit(() => {
    isOver = true;
  });
  t.after(() => {
    if (!isOver) pty.kill('SIGKILL');
  });
  return {
    type: (keys) => {
      pty.write(keys);
    },
    shown: () => text,
  };
}

const isMerged = (fixture: LoopFixture): Promise<unknown> =>
  fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);

const isStopped = (fixture: LoopFixture): Promise<unknown> =>
  fixture.until('it has stopped', () => fixture.eventsOf('task-stopped').length === 1);

async function assertNothingLeft(fixture: LoopFixture, session: SessionId): Promise<void> {
  await fixture.until(
    'its session has ended',
    (state) => !['asked', 'created', 'running'].includes(selectSession(state, session)!.life.at),
  );
  const daemon = await fixture.daemonPid();
  await eventually(
    'only the daemon runs',
    () => processesIn(fixture.home).filter((pid) => pid !== daemon).length === 0,
  );
}

describe('agents in their own interface', {concurrency: 4}, () => {
  for (const [what, flags, source] of [
    ['writes signals', ['--signals'], 'agent'],
    ['reports its status to the terminal', ['--tells'], 'agent'],
    ['reports it only a moment after it began', ['--tells', '--late'], 'agent'],
    ['does neither, and is silent at its prompt', [], 'screen'],
  ] as const) {
    it(`a red check is repaired in the same conversation of an agent that ${what}`, async (t) => {
      const fixture = createInteractive(t, ['--works', '--better', ...flags], {
        rules: redFirst,
        minute: '20000',
      });
      assert.equal(await fixture.begin(), 0);
      await isMerged(fixture);
      assert.deepEqual(
        fixture.eventsOf('session-continued').map(({attempt}) => attempt),
        [2],
      );
      assert.equal(
        fixture.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'attempt').length,
        1,
      );
      assert.deepEqual(fixture.ends(), [source, source]);
      assert.equal(fixture.typed().length, 2, 'each prompt was typed once');
      assert.match(fixture.typed()[1] ?? '', /TEST_FAILURE|grep/);
      await assertNothingLeft(fixture, await fixture.worker());
    });
  }

  it('one that says that it is done and has done nothing gets one repair, and stays open', async (t) => {
    const fixture = createInteractive(t, ['--signals', '--lies']);
    await fixture.begin();
    await isStopped(fixture);
    assert.deepEqual(
      fixture.eventsOf('task-stopped').map(({why}) => why.kind),
      ['no-change'],
    );
    assert.equal(fixture.typed().length, 2, 'two prompts, each once');
    assert.equal(new Set(fixture.typed()).size, 2);
    assert.deepEqual(
      fixture.eventsOf('attempt-started').map(({attempt}) => attempt),
      [1, 2],
    );
    const [need] = fixture.needs();
    assert.equal(need?.kind, 'stopped');
    assert.match(need.words, /t1.* stopped: .*chang/);
    assert.notEqual(need.ways.length, 0);
    const worker = await fixture.worker();
    assert.equal(selectSession(await fixture.state(), worker)?.life.at, 'running');
  });

  for (const [what, flag] of [
    ['that hangs', '--hangs'],
    ['that draws its screen for ever, with its prompt on it', '--redraws'],
  ] as const) {
    it(`no end is inferred for one ${what}: the time of the attempt ends it`, async (t) => {
      const fixture = createInteractive(t, [flag], {
        minute: '10000',
        project: 'limits:\n  attemptMinutes: 1\n',
      });
      await fixture.begin();
      await isStopped(fixture);
      const [stopped] = fixture.eventsOf('task-stopped');
      assert.deepEqual(
        [stopped?.why.kind, stopped?.why.kind === 'budget' ? stopped.why.budget : ''],
        ['budget', 'wall-clock'],
      );
      assert.deepEqual(fixture.ends(), []);
      assert.equal(fixture.typed().length, 1);
      const [need] = fixture.needs();
      assert.equal(need?.kind, 'stopped');
      await assertNothingLeft(fixture, await fixture.worker());
    });
  }

  it('a dialog is a need with its options, and the command that the need names answers it', async (t) => {
    const fixture = createInteractive(t, ['--signals']);
    const run = fixture.begin();
    const need = await eventually('it asks', () => {
      const asked = existsSync(fixture.current().stateDirectory) ? fixture.needs() : [];
      return asked.find(({kind}) => kind === 'question');
    });
    assert.match(need.words, /May I write b\.txt\?.*1 Yes.*2 No/s);
    const {command} =
      need.ways.find(({command: one}) => one.startsWith('orchestra send ')) ?? assert.fail();
    const sent = fixture.run(...command.split(' ').slice(1));
    assert.equal(sent.code, 0, `${command}: ${sent.err}`);
    await isMerged(fixture);
    await run;
    assert.equal(fixture.typed().length, 1);
    assert.deepEqual(
      fixture.noted().flatMap(({answered, key}) => (answered === 'dialog' ? [key] : [])),
      ['1'],
    );
    // The prompt or the agent's own signal begins the turn, whichever is noticed first.
    assert.equal(fixture.ends().length, 1);
  });

  for (const [what, flags] of [
    ['with signals', ['--signals']],
    ['without signals', []],
  ] as const) {
    it(`what a person types while a check runs reopens the attempt, and costs none (an agent ${what})`, async (t) => {
      const fixture = createInteractive(t, ['--works', ...flags], {
        rules: waitingCheck,
        minute: '20000',
      });
      fixture.write(
        'wait.sh',
        `echo begun >> ${fixture.home}/checks\nwhile [ ! -e ${fixture.home}/go ]; do sleep 0.05; done\n`,
      );
      fixture.git('add', 'wait.sh');
      fixture.git('commit', '--quiet', '--message', 'A check that waits');
      const checks = path.join(fixture.home, 'checks');
      const run = fixture.begin();
      await eventually('the check runs', () => existsSync(checks));
      const person = attachTo(t, fixture, await fixture.worker());
      await eventually('it shows the agent', () => person.shown().includes('done'));
      person.type('look again\r');
      await fixture.until(
        'it works again',
        () => fixture.eventsOf('attempt-reopened').length === 1,
      );
      person.type(leave);
      writeFileSync(path.join(fixture.home, 'go'), '');
      await isMerged(fixture);
      await run;
      assert.equal(fixture.typed().length, 2);
      assert.equal(fixture.typed()[1], 'look again');
      assert.ok(fixture.eventsOf('turn-began').some(({by}) => by === 'person'));
      assert.deepEqual(
        fixture.eventsOf('attempt-started').map(({attempt}) => attempt),
        [1],
      );
      assert.deepEqual(fixture.eventsOf('attempt-interrupted'), []);
      const state = await fixture.state();
      assert.equal(selectTask(state, 'r1.t1')?.attempts.length, 1);
    });
  }

  for (const [what, keys, isSent] of [
    ['sent', '\r', true],
    ['deleted', backspace.repeat('wait, I'.length), false],
  ] as const) {
    it(`the repair is typed only when the unfinished text of the person is ${what}`, async (t) => {
      const fixture = createInteractive(t, ['--works', '--signals', '--better'], {
        rules: redFirst.replace('grep', 'sh wait.sh; grep'),
      });
      fixture.write('wait.sh', `while [ ! -e ${fixture.home}/go ]; do sleep 0.05; done\n`);
      fixture.git('add', 'wait.sh');
      fixture.git('commit', '--quiet', '--message', 'A check that waits');
      const run = fixture.begin();
      await fixture.until(
        'its turn has ended',
        (state) => selectTask(state, 'r1.t1')?.attempts[0]?.step.at === 'checking',
      );
      const worker = await fixture.worker();
      const person = attachTo(t, fixture, worker);
      await eventually('it shows the agent', () => person.shown().includes('done'));
      person.type('wait, I');
      await eventually('it shows the text', () => person.shown().includes('wait, I'));
      writeFileSync(path.join(fixture.home, 'go'), '');
      const need = await eventually('the draft is a need', () =>
        fixture.needs().find(({kind}) => kind === 'draft'),
      );
      assert.match(need.words, /your unfinished text stands in the input/);
      assert.deepEqual(
        need.ways.map(({command}) => command),
        [`orchestra attach ${worker}`],
      );
      assert.equal(fixture.typed().length, 1);
      assert.equal(fixture.eventsOf('input-held').length, 1);
      person.type(keys);
      await isMerged(fixture);
      person.type(leave);
      await run;
      const [, ...later] = fixture.typed();
      if (isSent) assert.equal(later.shift(), 'wait, I', 'what the person wrote, and no more');
      // What was sent may have mended it already; else the repair is typed, alone and once.
      assert.ok(later.length === 1 || isSent);
      for (const prompt of later) {
        assert.doesNotMatch(prompt, /wait, I/);
        assert.match(prompt, /TEST_FAILURE|grep/);
      }

      assert.deepEqual(
        fixture.needs().filter(({kind}) => kind === 'draft'),
        [],
      );
    });
  }

  it('a failure whose repair had not arrived when the agent was killed is told to the next one', async (t) => {
    const fixture = openThreeConversations({
      tasks: [{id: 't1'}],
      rules: `# 1. Validation\n1. Nothing is red. \`test: while [ ! -e $HOME/go ]; do sleep 0.05; done; sh check.sh\`\n`,
    });
    t.after(fixture.close);
    const run = fixture.objective('--interactive', '--approve');
    await eventually(
      'its turn has ended',
      () => readNoted(fixture).length > 0 && fixture.eventsOf('turn-ended').length === 1,
    );
    const [worker = assert.fail()] = fixture
      .eventsOf('session-asked')
      .flatMap(({purpose, session}) => (purpose.for === 'attempt' ? [session] : []));
    const person = attachTo(t, fixture, worker);
    await eventually('it shows the agent', () => person.shown().includes('>'));
    person.type('wait');
    await eventually('it shows the text', () => person.shown().includes('wait'));
    writeFileSync(path.join(fixture.home, 'go'), '');
    await eventually('the repair is held', () => fixture.eventsOf('input-held').length === 1);
    end(fixture.metaOf(worker).child?.pid ?? assert.fail(), fixture.home);
    await isMerged(fixture);
    await run;
    const prompts = readNoted(fixture).flatMap(({prompt}) => prompt ?? []);
    assert.equal(prompts.length, 2);
    assert.match(prompts[1] ?? '', /a file is red/);
    assert.deepEqual(
      fixture.eventsOf('attempt-started').map(({attempt}) => attempt),
      [1, 2],
    );
  });
});
