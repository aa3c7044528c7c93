import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {
  type Authority,
  authorityOfCommand,
  authorityOfQuestion,
} from '../../../source/daemon/server/authority.ts';
import {validateCommand} from '../../../source/daemon/server/schemas/commands.ts';
import {readToken} from '../../../source/cli/repo-paths.ts';
import {parsePlan, planHash} from '../../../source/plan/index.ts';
import type {Event, UserCommand} from '../../../source/domain/index.ts';
import {
  createFrameReader,
  daemonProtocol,
  encodeMessage,
  type Question,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture} from '../support/daemon-fixture.ts';
import {needs} from '../../support/needs.ts';

const support = path.join(import.meta.dirname, '..', 'support');

const plan = parsePlan(
  JSON.stringify({
    problem: 'x',
    rootCause: 'x',
    tasks: [{id: 't1', title: 'x', brief: 'x', files: ['x'], after: []}],
  }),
  {objective: 'x'},
).value!;

/**
 * One of each that needs more than the token, as it would be asked about the person's session s1
 * and a run.
 */
const commands: readonly UserCommand[] = [
  {
    type: 'start-run',
    request: {objective: 'x', worker: 'playbook', planner: 'playbook', queued: false},
    budget: {},
  },
  {type: 'move-in-queue', run: 'r1', position: 1},
  {type: 'comment-plan', run: 'r1', line: 1, text: 'x'},
  {type: 'edit-plan', run: 'r1', plan, hash: planHash(plan)},
  {type: 'reject-plan', run: 'r1', plan: 'x', reason: 'x'},
  {type: 'approve-plan', run: 'r1', plan: 'x', rules: 'x', base: 'x'},
  {type: 'choose-baseline', run: 'r1', check: 'test', choice: 'ignore'},
  {type: 'baseline-again', run: 'r1'},
  {type: 'plan-again', run: 'r1'},
  {type: 'grant-attempt', task: 'r1.t1'},
  {type: 'take-over', task: 'r1.t1'},
  {type: 'hand-back', task: 'r1.t1'},
  {type: 'check-task', task: 'r1.t1'},
  {type: 'reset-task', task: 'r1.t1'},
  {type: 'pick-variant', task: 'r1.t1', commit: 'x'},
  {type: 'message-task', task: 'r1.t1', text: 'x'},
  {type: 'stop', what: 's1'},
  {type: 'resume', what: 'r1'},
  {type: 'discard', what: 'r1'},
  {type: 'undo', what: 'r1', kind: 'discard'},
  {type: 'accept-run', run: 'r1', commit: 'x'},
  {type: 'adopt-branch', run: 'r1', commit: 'x'},
  {type: 'restore-branch', run: 'r1', commit: 'x'},
  {type: 'extend-budget', run: 'r1', tokens: 1},
  {type: 'refresh-environment', run: 'r1'},
  {type: 'tidy-worktree', owner: 'r1.t1'},
  {type: 'start-session', name: 'x', command: ['true'], directory: '/'},
  {type: 'send-input', session: 's1', text: 'evil\r'},
  {type: 'answer-question', session: 's1', number: 1, text: 'x'},
  {type: 'declare-service', spec: {name: 'evil', command: 'true'}},
  {type: 'stop-service', service: 'agent'},
  {type: 'restart-service', service: 'agent'},
  {type: 'acknowledge-intrusion', number: 1},
  {type: 'acknowledge-loop', session: 's1', number: 1},
];
const questions: readonly Question[] = [
  ...commands.map((command): Question => ({about: 'wish', wish: command})),
  {about: 'ticket', session: 's1'},
  {about: 'gc', sweep: true},
  {about: 'share', paths: ['node_modules']},
  {about: 'give-files', session: 's1', files: ['/etc/passwd']},
  {about: 'codes'},
  {about: 'stop-daemon'},
];

describe('what each question and each command needs', () => {
  it('stands in the table, for all that the protocol has', () => {
    const text = readFileSync(
      path.join(import.meta.dirname, '../../../source/protocol/daemon.ts'),
      'utf8',
    );
    const abouts = [...text.matchAll(/readonly about: '(?<about>[a-z-]+)'/g)].map(
      ({groups}) => groups?.['about'],
    );
    assert.deepEqual(
      Object.keys(authorityOfQuestion).toSorted(),
      abouts.filter((about) => about !== 'wish').toSorted(),
    );
    for (const type of Object.keys(authorityOfCommand))
      assert.throws(() => validateCommand({type, nothing: true}), /expected/);
  });

  it('and each that needs more than the token is tried here', () => {
    const needs = (table: Readonly<Record<string, Authority>>): string[] =>
      Object.entries(table)
        .filter(([, authority]) => authority !== 'anyone')
        .map(([name]) => name);
    // Agents may start a service, as agents.
    assert.deepEqual(
      commands.map(({type}) => type).toSorted(),
      needs(authorityOfCommand)
        .filter((type) => type !== 'start-service')
        .toSorted(),
    );
    assert.deepEqual(
      questions.flatMap(({about}) => (about === 'wish' ? [] : [about])).toSorted(),
      needs(authorityOfQuestion).toSorted(),
    );
  });
});

type Fort = DaemonFixture & {
  /** Runs a script in a session that is not the person's, and gives what `$ASK` heard. */
  readonly attack: (script: string, asked?: readonly Question[]) => Promise<string>;
  readonly personCookie: string;
  readonly helper: (argv: readonly string[], word: string) => Promise<ChildProcess>;
};

/**
 * A daemon with a session s1 of the person's. A service stands for an agent: it runs unconfined and
 * is no person.
 */
async function createFort(t: TestContext): Promise<Fort> {
  const helpers: ChildProcess[] = [];
  // Before the place is left: their command lines name it.
  t.after(() =>
    Promise.all(
      helpers
        .filter(({exitCode, signalCode}) => exitCode === null && signalCode === null)
        .map((child) => {
          const end = once(child, 'exit');
          child.kill('SIGKILL');
          return end;
        }),
    ),
  );
  const services: string[] = [];
  // A service that is wanted would be started again as long as its sessions are stopped.
  t.after(async () => {
    for (const service of services)
      await fixture.ask({about: 'wish', wish: {type: 'stop-service', service}});
  });
  const fixture = createDaemonFixture(t);
  assert.equal(await fixture.start('cat'), 's1');
  await eventually('s1 runs', () =>
    fixture.events().some((event) => event.type === 'session-running'),
  );
  let tries = 0;
  const helper: Fort['helper'] = async (argv, word) => {
    const [file = '', ...rest] = argv;
    const child = spawn(file, rest, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {PATH: process.env['PATH'], HOME: fixture.home},
    });
    helpers.push(child);
    await eventually(`${word} is said`, () => child.stdout.read() !== null);
    return child;
  };
  return {
    ...fixture,
    helper,
    personCookie: path.basename(fixture.directoryOf('s1')),
    attack: async (script, asked = questions) => {
      tries += 1;
      const [bytes, result] = [
        path.join(fixture.home, `bytes-${tries}`),
        path.join(fixture.home, `result-${tries}`),
      ];
      const hello = {
        type: 'hello',
        protocol: daemonProtocol,
        build: 'test',
        token: readToken(fixture.current()),
      };
      writeFileSync(
        bytes,
        Buffer.concat(
          [hello, ...asked.map((question, index) => ({type: 'ask', id: index + 1, question}))].map(
            (message) => encodeMessage(message as never),
          ),
        ),
      );
      const text = `${process.execPath} ${support}/ask.mjs`;
      const set = `ASK='${text} ${fixture.current().socket} ${bytes} ${result} ${asked.length}' VIA='${text}' BYTES=${bytes} RESULT=${result} COUNT=${asked.length} SOCKET=${fixture.current().socket} SUPPORT=${support} HOME=${fixture.home}; export ASK VIA BYTES RESULT COUNT SOCKET SUPPORT HOME; cd /; `;
      const name = `agent-${tries}`;
      await fixture.ask({
        about: 'wish',
        wish: {type: 'declare-service', spec: {name, command: `${set}${script}\nexec sleep 600`}},
      });
      await fixture.ask({about: 'wish', wish: {type: 'start-service', service: name}});
      services.push(name);
      return eventually(
        `${script}: the attempt has been made`,
        () => existsSync(result) && readFileSync(result, 'latin1'),
      );
    },
  };
}

function answersIn(received: string): {readonly type: string; readonly text?: string}[] {
  const {frames} = createFrameReader().read(Buffer.from(received, 'latin1'));
  return frames
    .flatMap((frame) =>
      frame.kind === 'control'
        ? [frame.value as {readonly type: string; readonly text?: string}]
        : [],
    )
    .filter(({type}) => type === 'answer' || type === 'refusal');
}

/** Nothing came of it: nothing typed, stopped, started or declared but by the test itself. */
function assertNothingDone(fort: Fort): void {
  const done = fort
    .events()
    .filter(
      (event) =>
        event.type === 'input-asked' ||
        event.type === 'session-stop-asked' ||
        event.type === 'run-created' ||
        (event.type === 'service-declared' && event.spec.name === 'evil') ||
        (event.type === 'session-asked' &&
          event.purpose.for === 'person' &&
          event.purpose.name === 'x') ||
        event.type === 'intrusion-seen',
    );
  assert.deepEqual(done, []);
}

function rejectedIn(fort: DaemonFixture): Extract<Event, {type: 'intrusion-refused'}>[] {
  return fort.events().filter((event) => event.type === 'intrusion-refused');
}

/** All of them are proven to come from a session, or carry a mark that proves them no person. */
const rejected = [
  {name: 'plainly', script: () => '$ASK'},
  {name: 'with the old mark of hooks', script: () => 'ORCH_SESSION=told $ASK'},
  {
    name: "with the mark of the person's session",
    script: ({personCookie}: Fort) => `ORCH_SESSION=${personCookie} $ASK`,
  },
  {
    name: 'with a cleared environment, in a session of its own',
    script: () => 'env -i setsid -w $ASK',
  },
  {
    name: 'as an orphan with a made-up mark',
    script: () => '(env -i ORCH_SESSION=told-abc setsid $ASK &)',
  },
  {
    name: "as an orphan with the mark of the person's session",
    script: ({personCookie}: Fort) => `(env -i ORCH_SESSION=${personCookie} setsid $ASK &)`,
  },
];

describe('an agent without a sandbox that asks for everything a person may ask for', () => {
  it('is refused all of it and written down, however it calls itself', async (t) => {
    const fort = await createFort(t);
    for (const {name, script} of rejected) {
      const received = await fort.attack(script(fort));
      const answers = answersIn(received);
      assert.equal(answers.length, questions.length, `${name}: ${received.slice(0, 200)}`);
      assert.deepEqual(
        answers.filter(
          ({type, text}) => type !== 'refusal' || !(text ?? '').startsWith('only a person may'),
        ),
        [],
        name,
      );
    }

    assertNothingDone(fort);
    const intents = new Set(rejectedIn(fort).map(({intent}) => intent));
    for (const {type} of commands) assert.ok(intents.has(type), `${type} is written down`);
    for (const intent of [
      'attach to s1',
      'stop-daemon',
      'remove what was left over',
      'read one-time codes',
    ])
      assert.ok(intents.has(intent), `${intent} is written down`);
    const perSession = rejectedIn(fort).map(({session, intent}) => `${session} ${intent}`);
    assert.equal(
      new Set(perSession).size,
      perSession.length,
      'once for each, however often it is tried',
    );
  });

  it('to type into a program that reads nothing is refused as an agent, and written down', async (t) => {
    const fort = await createFort(t);
    const session = await fort.start('sleep 600');
    const typing: Question = {
      about: 'wish',
      wish: {type: 'send-input', session: session as 's2', text: 'evil\r'},
    };
    const answers = answersIn(await fort.attack('$ASK', [typing]));
    assert.match(answers[0]?.text ?? '', /^only a person may /);
    assert.deepEqual(
      rejectedIn(fort).map(({intent}) => intent),
      ['send-input'],
    );
  });

  it('and does not wait for the answer is refused, and written down', async (t) => {
    const fort = await createFort(t);
    const typing: Question = {
      about: 'wish',
      wish: {type: 'send-input', session: 's1', text: 'evil\r'},
    };
    const starting: Question = {
      about: 'wish',
      wish: {type: 'start-session', name: 'x', command: ['true'], directory: '/'},
    };
    assert.equal(await fort.attack('$ASK leave', [typing]), 'left');
    assert.equal(await fort.attack('(env -i setsid $ASK leave &)', [starting]), 'left');
    // Whoever is still seen for a moment is noted as doubtful, and refused because it has left.
    await eventually('that both were refused is written down', () =>
      ['send-input', 'start-session'].every((type) =>
        fort
          .events()
          .some(
            (event) =>
              (event.type === 'intrusion-refused' || event.type === 'command-noted') &&
              event.intent === type,
          ),
      ),
    );
    assertNothingDone(fort);
  });

  it('and has cut every link to its session may type nowhere and decide nothing', async (t) => {
    const fort = await createFort(t);
    const strict = questions.filter((question) =>
      question.about === 'wish'
        ? authorityOfCommand[question.wish.type] !== 'not-an-agent'
        : question.about !== 'stop-daemon',
    );
    const answers = answersIn(
      await fort.attack('(env -i setsid $ASK < /dev/null > /dev/null 2>&1 &)', strict),
    );
    assert.deepEqual(
      answers.filter(
        ({text}) =>
          !/only a person may .* orchestra cannot tell that a person asks: pid \d+ \(.*\): it started after s\d+[^;]*, without a sandbox, and is a child of pid \d+, which adopts processes that leave a session/.test(
            text ?? '',
          ),
      ),
      [],
    );
    assert.equal(answers.length, strict.length);
    assertNothingDone(fort);
    assert.deepEqual([...new Set(rejectedIn(fort).map(({session}) => session))], ['s0']);
  });

  it(
    "through a relay of the person's, or by a connection that it gives away, is refused",
    needs('python3'),
    async (t) => {
      const fort = await createFort(t);
      const typing: Question[] = [
        {about: 'wish', wish: {type: 'send-input', session: 's1', text: 'evil\r'}},
      ];
      const [near, holder] = [path.join(fort.home, 'near'), path.join(fort.home, 'holder')];
      await fort.helper(
        ['/usr/bin/perl', `${support}/relay.pl`, near, fort.current().socket],
        'relays',
      );
      const [relayed] = answersIn(await fort.attack(`$VIA ${near} $BYTES $RESULT $COUNT`, typing));
      assert.match(
        relayed?.text ?? '',
        /orchestra cannot tell that a person asks: pid \d+ \(.*\): .*it is not orchestra and may forward/,
      );
      await fort.helper(['python3', `${support}/hand-on.py`, 'hold', holder], 'holds');
      const declaring: Question = {
        about: 'wish',
        wish: {type: 'declare-service', spec: {name: 'evil', command: 'true'}},
      };
      assert.equal(
        await fort.attack(`python3 $SUPPORT/hand-on.py give ${holder} $SOCKET $BYTES $RESULT`, [
          declaring,
        ]),
        'given',
      );
      // Whether the giver was still seen or only the holder, it is no person.
      await eventually('both were refused', () =>
        ['send-input', 'declare-service'].every((type) =>
          rejectedIn(fort).some(({intent}) => intent === type),
        ),
      );
      assertNothingDone(fort);
    },
  );
});

describe('a person', () => {
  it('in a session of their own may type and stop, which is written down, and decides nothing there', async (t) => {
    const fort = await createFort(t);
    const bytes = path.join(fort.home, 'own');
    const asked: Question[] = [
      {about: 'wish', wish: {type: 'send-input', session: 's1', text: 'own\r'}},
      {about: 'ticket', session: 's1'},
      {about: 'wish', wish: {type: 'resume', what: 'r1'}},
    ];
    const hello = {
      type: 'hello',
      protocol: daemonProtocol,
      build: 'test',
      token: readToken(fort.current()),
    };
    writeFileSync(
      bytes,
      Buffer.concat(
        [hello, ...asked.map((question, index) => ({type: 'ask', id: index + 1, question}))].map(
          (message) => encodeMessage(message as never),
        ),
      ),
    );
    await fort.start(
      process.execPath,
      `${support}/ask.mjs`,
      fort.current().socket,
      bytes,
      `${bytes}.result`,
      '3',
    );
    const answers = answersIn(
      await eventually(
        'it was asked',
        () => existsSync(`${bytes}.result`) && readFileSync(`${bytes}.result`, 'latin1'),
      ),
    );
    assert.deepEqual(answers.map(({type}) => type).toSorted(), ['answer', 'answer', 'refusal']);
    assert.deepEqual(
      fort
        .events()
        .flatMap((event) =>
          event.type === 'command-noted' ? [`${event.session} ${event.intent}`] : [],
        )
        .toSorted(),
      ['s2 attach to s1', 's2 send-input'],
    );
    assert.deepEqual(
      rejectedIn(fort).map(({session, intent}) => `${session} ${intent}`),
      ['s2 resume'],
    );
  });
});
