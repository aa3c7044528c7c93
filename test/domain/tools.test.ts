import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  needsOf,
  serviceOf,
  sessionOf,
  shellOf,
  taskOf,
  type Decision,
  type Observation,
  type SessionId,
} from '../../source/domain/index.ts';
import {conclude, report, send, wantedKeys, wish, type House} from './support/house.ts';
import {change, green, plannedTask} from './support/samples.ts';
import {
  makeWorktree,
  mergeTask,
  startSession,
  thinking,
  typesOf,
  validate,
  working,
} from './support/stages.ts';

/** One task whose agent, s2, is at work. */
function atWork(...tasks: Parameters<typeof plannedTask>[]): House {
  const house = working(
    tasks.length === 0 ? [plannedTask('t1')] : tasks.map((task) => plannedTask(...task)),
  );
  makeWorktree(house, 'r1.t1');
  startSession(house, 's2');
  return house;
}

function ask(house: House, question = 'Which port?', session: SessionId = 's2'): Decision {
  return report(house, {type: 'person-asked', session, question});
}

function openShell(
  house: House,
  more: Partial<Extract<Observation, {type: 'shell-asked'}>> = {},
): Decision {
  return report(house, {type: 'shell-asked', session: 's2', name: 'main', ...more});
}

test('a question of an agent waits for a person, told once, and is answered once', () => {
  const house = atWork();
  assert.deepEqual(
    report(house, {
      type: 'person-asked',
      session: 's2',
      question: 'Which port?',
      options: ['3000', '4000'],
    }).events,
    [
      {
        type: 'question-asked',
        at: house.time,
        session: 's2',
        number: 1,
        question: 'Which port?',
        options: ['3000', '4000'],
      },
    ],
  );
  assert.deepEqual(needsOf(house.state), [
    {
      id: 's2/asked/1',
      since: house.time,
      kind: 'question',
      session: 's2',
      question: 'Which port?',
      proof: 'proven',
      secret: false,
      asked: 1,
      options: ['3000', '4000'],
    },
  ]);
  assert.deepEqual(
    wish(house, {type: 'answer-question', session: 's2', number: 1, text: '3000'}).events.map(
      ({type}) => type,
    ),
    ['question-answered'],
  );
  assert.deepEqual(needsOf(house.state), []);
  assert.equal(sessionOf(house.state, 's2')?.questions?.[0]?.answer?.text, '3000');
  assert.equal(
    wish(house, {type: 'answer-question', session: 's2', number: 1, text: '4000'}).refused,
    'question 1 of s2 is answered already',
  );
});

test('the same words are the same question, before and after the answer', () => {
  const house = atWork();
  ask(house);
  assert.deepEqual(ask(house), {events: []});
  wish(house, {type: 'answer-question', session: 's2', number: 1, text: '3000'});
  assert.deepEqual(ask(house), {events: []});
  assert.deepEqual(typesOf(ask(house, 'And which host?')), ['question-asked']);
});

test('questions are answered in the order in which they came, and no more than three wait', () => {
  const house = atWork();
  for (const question of ['one', 'two', 'three']) ask(house, question);
  assert.equal(ask(house, 'four').refused, '3 questions of s2 are open already');
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'question' && need.question),
    ['one', 'two', 'three'],
  );
  wish(house, {type: 'answer-question', session: 's2', number: 2, text: 'x'});
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'question' && need.asked),
    [1, 3],
  );
});

test('who has asked is neither stalled nor asked about by the kernel', () => {
  const house = atWork();
  ask(house);
  assert.equal(
    report(house, {type: 'no-progress', session: 's2', silentFor: 900, limit: 600}).refused,
    "s2 waits for a person's answer",
  );
  report(house, {
    type: 'session-waiting',
    session: 's2',
    proof: 'inferred',
    secret: false,
    question: '>',
  });
  assert.deepEqual(
    needsOf(house.state).map(({id}) => id),
    ['s2/asked/1'],
  );
  wish(house, {type: 'answer-question', session: 's2', number: 1, text: '3000'});
  report(house, {type: 'session-moved-on', session: 's2'});
  assert.deepEqual(
    typesOf(report(house, {type: 'no-progress', session: 's2', silentFor: 900, limit: 600})),
    ['task-stopped'],
  );
});

test('a question is closed when its session ends', () => {
  const house = atWork();
  ask(house);
  report(house, {type: 'session-lost', session: 's2', why: 'killed'});
  assert.deepEqual(needsOf(house.state), []);
  assert.equal(
    wish(house, {type: 'answer-question', session: 's2', number: 1, text: '3000'}).refused,
    's2 has ended; its question is closed',
  );
  assert.equal(ask(house, 'Still there?').refused, 'nobody counts on s2 any more');
});

test('whoever was stopped is not listened to any more', () => {
  const house = atWork();
  wish(house, {type: 'stop', what: 'r1.t1'});
  assert.equal(ask(house).refused, 'nobody counts on s2 any more');
  assert.equal(openShell(house).refused, 'nobody counts on s2 any more');
});

test('a planner may ask, a check may not, and nobody asks nothing', () => {
  const planning = thinking();
  startSession(planning, 's1');
  assert.deepEqual(typesOf(ask(planning, 'Which module?', 's1')), ['question-asked']);
  assert.equal(ask(planning, '  ', 's1').refused, 'a question needs words');
  assert.equal(ask(planning, 'Hm?', 's9').refused, 'there is no session s9');
  const house = atWork();
  openShell(house);
  assert.equal(ask(house, 'Hm?', 's3').refused, 'only who plans or works asks a person');
});

test('an agent that answers for the person is refused and named', () => {
  const house = atWork();
  ask(house);
  house.time += 1;
  const {refused, events} = send(house, {
    type: 'answer-question',
    session: 's2',
    number: 1,
    text: 'yes',
    at: house.time,
    by: {kind: 'agent', session: 's2'},
  });
  assert.equal(refused, 'only a person may answer-question; that s2 tried is written down');
  assert.deepEqual(
    events.map(({type}) => type),
    ['intrusion-refused'],
  );
  assert.equal(sessionOf(house.state, 's2')?.questions?.[0]?.answer, undefined);
});

test('wrong answers are refused with a sentence', () => {
  const house = atWork();
  ask(house);
  for (const [session, number, text, refusal] of [
    ['s2', 2, 'x', 's2 has asked no question 2'],
    ['s9', 1, 'x', 's9 has asked no question 1'],
    ['s2', 1, ' ', 'an answer needs words'],
  ] as const)
    assert.equal(wish(house, {type: 'answer-question', session, number, text}).refused, refusal);
});

test('a call of a tool is written down and changes nothing', () => {
  const house = atWork();
  const {sessions} = house.state;
  assert.deepEqual(
    typesOf(report(house, {type: 'tool-called', session: 's2', tool: 'port', words: 'port: 3000'})),
    ['tool-called'],
  );
  assert.deepEqual(sessionOf(house.state, 's2'), sessionOf({...house.state, sessions}, 's2'));
  assert.equal(
    report(house, {type: 'tool-called', session: 's9', tool: 'port', words: ''}).refused,
    'there is no session s9',
  );
});

test('a shell is opened once, in the worktree of its task, and stays', () => {
  const house = atWork();
  assert.deepEqual(openShell(house).events, [
    {
      type: 'session-asked',
      at: house.time,
      session: 's3',
      purpose: {for: 'shell', task: 'r1.t1', name: 'main'},
    },
  ]);
  assert.deepEqual(openShell(house), {events: []});
  startSession(house, 's3');
  assert.deepEqual(wantedKeys(house), ['s2/run', 's3/run']);
  assert.equal(
    openShell(house, {program: 'python3'}).refused,
    'the shell main runs a shell already; take another name',
  );
  assert.deepEqual(typesOf(openShell(house, {name: 'python', program: 'python3'})), [
    'session-asked',
  ]);
});

test('a shell outlives the attempt, and keeps neither the change from being captured nor the next attempt from starting', () => {
  const house = atWork();
  openShell(house);
  startSession(house, 's3');
  report(house, {type: 'session-exited', session: 's2', code: 0, signal: null});
  conclude(house, 'read-outcome', {
    type: 'agent-finished',
    task: 'r1.t1',
    attempt: 1,
    words: 'done',
  });
  assert.deepEqual(wantedKeys(house), ['s3/run', 'r1.t1.a1/capture']);
  conclude(house, 'capture', {type: 'change-captured', task: 'r1.t1', attempt: 1, change});
  conclude(house, 'judge', {
    type: 'change-judged',
    task: 'r1.t1',
    attempt: 1,
    judgement: {...green, outside: ['x']},
  });
  assert.equal(taskOf(house.state, 'r1.t1')?.attempts.length, 2);
  assert.equal(sessionOf(house.state, 's4')?.purpose.for, 'attempt');
  assert.equal(shellOf(house.state, 'r1.t1', 'main')?.id, 's3');
});

test('a shell ends with what it is for', () => {
  const ends: readonly (readonly [string, (house: House) => unknown])[] = [
    [
      'merged',
      (house) => {
        validate(house, 'r1.t1');
        mergeTask(house, 'r1.t1');
      },
    ],
    ['discarded', (house) => wish(house, {type: 'discard', what: 'r1.t1'})],
    ['the run discarded', (house) => wish(house, {type: 'discard', what: 'r1'})],
    ['the run stopped', (house) => wish(house, {type: 'stop', what: 'r1'})],
    ['the task stopped', (house) => wish(house, {type: 'stop', what: 'r1.t1'})],
    ['its worktree gone', (house) => report(house, {type: 'worktree-vanished', owner: 'r1.t1'})],
    ["a person's word", (house) => wish(house, {type: 'stop', what: 's3'})],
  ];
  for (const [what, end] of ends) {
    const house = atWork();
    openShell(house);
    startSession(house, 's3');
    end(house);
    assert.ok(wantedKeys(house).includes('s3/stop'), what);
    assert.ok(
      !wantedKeys(house).includes('r1.t1/remove'),
      `${what}: nothing is removed under a process`,
    );
  }
});

test('a person who stops a shell stops the shell alone', () => {
  const house = atWork();
  openShell(house);
  startSession(house, 's3');
  assert.deepEqual(typesOf(wish(house, {type: 'stop', what: 's3'})), ['session-stop-asked']);
  assert.equal(
    openShell(house).refused,
    'the shell main is just being stopped; ask again in a moment',
  );
  report(house, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  assert.equal(taskOf(house.state, 'r1.t1')?.hold, undefined);
  assert.deepEqual(typesOf(openShell(house)), ['session-asked']);
});

test('a shell that dies is no interruption of the attempt, and one that cannot be opened is no trouble of the task', () => {
  const house = atWork();
  openShell(house);
  startSession(house, 's3');
  assert.deepEqual(typesOf(report(house, {type: 'session-lost', session: 's3', why: 'killed'})), [
    'session-lost',
  ]);
  openShell(house);
  assert.deepEqual(
    typesOf(report(house, {type: 'effect-failed', words: 'no such program'}, 's4/run')),
    ['session-lost'],
  );
  assert.equal(taskOf(house.state, 'r1.t1')?.trouble, undefined);
});

test('shells are for those who work, four at most, and each task has its own', () => {
  const house = atWork(['t1'], ['t2']);
  for (const name of ['a', 'b', 'c', 'd']) openShell(house, {name});
  assert.equal(openShell(house, {name: 'e'}).refused, '4 shells of r1.t1 are open already');
  makeWorktree(house, 'r1.t2');
  const other = house.state.live.find(
    (id) => sessionOf(house.state, id)?.purpose.for === 'attempt' && id !== 's2',
  )!;
  startSession(house, other);
  assert.deepEqual(typesOf(openShell(house, {session: other, name: 'a'})), ['session-asked']);
  const shell = shellOf(house.state, 'r1.t1', 'a')!.id;
  assert.equal(
    report(house, {type: 'shell-told', session: other, shell, text: 'rm -r .\r'}).refused,
    `${shell} is no shell of yours`,
  );
  assert.equal(
    openShell(house, {session: 's1', name: 'x'}).refused,
    'nobody counts on s1 any more',
  );
  const planning = thinking();
  startSession(planning, 's1');
  assert.equal(
    report(planning, {type: 'shell-asked', session: 's1', name: 'main'}).refused,
    'only who works on a task has shells',
  );
});

test('what is typed into a shell is typed at most once', () => {
  const house = atWork();
  openShell(house);
  startSession(house, 's3');
  assert.deepEqual(
    typesOf(report(house, {type: 'shell-told', session: 's2', shell: 's3', text: 'ls\r'})),
    ['input-asked'],
  );
  assert.ok(wantedKeys(house).includes('s3/type-1'));
  report(house, {type: 'input-uncertain', session: 's3', input: 1}, 's3/type-1');
  assert.deepEqual(needsOf(house.state), [], 'the agent is told, not the person');
  assert.ok(!wantedKeys(house).includes('s3/type-1'));
});

test('an agent starts and stops declared services, but not those of others', () => {
  const house = atWork(['t1'], ['t2', {services: ['web']}]);
  const session = house.state.live.find(
    (id) => sessionOf(house.state, id)?.purpose.for === 'attempt',
  )!;
  const tell = (want: 'up' | 'down', service = 'web'): Decision =>
    report(house, {type: 'service-told', session, service, want});
  const web = (): string | undefined => serviceOf(house.state, 'web')?.desire;
  assert.equal(web(), 'wanted', 'the second task needs it');
  assert.equal(tell('down').refused, 'r1.t2 needs web, too');
  assert.equal(tell('up', 'db').refused, 'there is no service "db"; declared are web');
  wish(house, {type: 'discard', what: 'r1.t2'});
  assert.deepEqual(tell('down').events.slice(0, 1), [
    {type: 'service-stopped', at: house.time, service: 'web', by: 'r1.t1'},
  ]);
  assert.equal(web(), 'none');
  assert.deepEqual(tell('down'), {events: []});
  assert.deepEqual(typesOf(tell('up')).slice(0, 1), ['service-wanted']);
  assert.deepEqual(tell('up'), {events: []});
  wish(house, {type: 'restart-service', service: 'web'});
  assert.equal(tell('down').refused, 'a person started web; it is theirs to stop');
  wish(house, {type: 'stop-service', service: 'web'});
  assert.equal(tell('up').refused, 'a person has to start web again: it is stopped by one');
});

test('shells that end are opened again, but fifty times in an attempt and no more', () => {
  const house = atWork();
  let opened = 0;
  for (let times = 0; times < 200; times++) {
    const {events, refused} = openShell(house);
    if (refused !== undefined) {
      assert.match(
        refused,
        /50 shells of r1\.t1 were opened, which is all that an attempt may have/,
      );
      break;
    }

    opened += 1;
    const asked = events.find(({type}) => type === 'session-asked');
    if (asked?.type !== 'session-asked') throw new Error('no shell was asked for');
    startSession(house, asked.session);
    report(house, {type: 'session-exited', session: asked.session, code: 0, signal: null});
  }

  assert.equal(opened, 50);
});

test('an agent that stops a service and starts it again, without end, is held up after five starts within a minute', () => {
  const house = atWork();
  const tell = (want: 'up' | 'down'): Decision =>
    send(house, {
      type: 'report',
      at: house.time,
      saw: {type: 'service-told', session: 's2', service: 'web', want},
    });
  const stop = (): void => {
    tell('down');
    const live = house.state.live.find(
      (id) => sessionOf(house.state, id)?.purpose.for === 'service',
    );
    if (live !== undefined)
      send(house, {
        type: 'report',
        at: house.time,
        saw: {type: 'session-exited', session: live, code: null, signal: 'SIGTERM'},
      });
  };

  for (let times = 0; times < 5; times++) {
    assert.equal(tell('up').refused, undefined);
    stop();
  }

  assert.match(
    tell('up').refused ?? '',
    /web was started 5 times within a minute; wait before you start it again/,
  );
  const asAgent = send(house, {
    type: 'start-service',
    service: 'web',
    at: house.time,
    by: {kind: 'agent', session: 's2'},
  });
  assert.match(asAgent.refused ?? '', /started 5 times within a minute/);
  house.time += 60_000;
  assert.equal(tell('up').refused, undefined);
});

test('an agent that tries the same forbidden thing again is named once, until the person has seen it', () => {
  const house = atWork();
  const tries = (): Decision =>
    send(house, {type: 'discard', what: 'r1', at: house.time, by: {kind: 'agent', session: 's2'}});
  for (let times = 0; times < 50; times++)
    assert.match(tries().refused ?? '', /only a person may discard; that s2 tried is written down/);
  assert.equal(house.state.intrusions.length, 1);
  wish(house, {type: 'acknowledge-intrusion', number: 1});
  tries();
  assert.equal(house.state.intrusions.length, 2);
});

test('agents leave fifty notes on one thing and no more; a person leaves as many as they like', () => {
  const house = atWork();
  const note = (text: string): Decision =>
    send(house, {
      type: 'add-note',
      on: 'r1',
      text,
      at: house.time,
      by: {kind: 'agent', session: 's2'},
    });
  for (let times = 0; times < 100; times++) note(`note ${times}`);
  note('note 0');
  assert.equal(house.state.notes.length, 50);
  assert.match(
    note('one more').refused ?? '',
    /there are 50 notes on r1 already; only a person adds more/,
  );
  assert.equal(wish(house, {type: 'add-note', on: 'r1', text: 'mine'}).refused, undefined);
});

test('a session that does not end is told to the person once for each reason, and no more when it has ended', () => {
  const house = atWork();
  wish(house, {type: 'stop', what: 'r1.t1'});
  assert.deepEqual(
    conclude(house, 'stop-session', {type: 'effect-failed', words: 'stuck'}).events.map(
      ({type}) => type,
    ),
    ['session-unstoppable'],
  );
  assert.deepEqual(
    conclude(house, 'stop-session', {type: 'effect-failed', words: 'stuck'}),
    {events: []},
    'what is known is no news',
  );
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'unstoppable' && need.words),
    ['stuck'],
  );
  assert.ok(wantedKeys(house).includes('s2/stop'), 'it is tried further');
  report(house, {type: 'session-exited', session: 's2', code: null, signal: 'SIGKILL'});
  assert.deepEqual(needsOf(house.state), []);
});
