import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {test, type TestContext} from 'node:test';
import {findLeftovers, isDead, type LeftoverProcess} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {kernel, processAt, takeSample} from '../support/own-kernel.ts';
import {startInTerminal} from '../support/terminal-program.ts';
import {createTestProcesses, type TestProcesses} from '../support/test-processes.ts';

type Fixture = {
  readonly testProcesses: TestProcesses;
  readonly work: string;
  readonly away: string;
  readonly since: number;
};

/** A task's directory, one beside it, and the moment at which its session began. */
async function createFixture(t: TestContext): Promise<Fixture> {
  const [testProcesses, root] = [createTestProcesses(t), temporaryDirectory(t)];
  const [work, away] = [path.join(root, 'work'), path.join(root, 'away')];
  for (const directory of [work, away]) mkdirSync(directory);
  writeFileSync(path.join(work, 'file'), 'x');
  const {process: first} = await testProcesses.start(['true'], {cwd: away});
  return {testProcesses, work, away, since: first.identity.startTime};
}

/**
 * Runs a script whose `$MARK` sleeps on, and adopts whatever it left. Gives what it is named for.
 */
async function leave(
  {testProcesses, work, away, since}: Fixture,
  script: string,
  seconds: number,
): Promise<LeftoverProcess | undefined> {
  await testProcesses.start(['bash', '-c', script.replaceAll('$SLEEP', `sleep ${seconds}`)], {
    cwd: work,
    isLeader: true,
    env: {AWAY: away, WORK: work},
    cookie: testProcesses.cookie(`left-${seconds}`),
  });
  const pid = await eventually(`${script}: it sleeps, and who started it has gone`, async () => {
    const {processes} = await takeSample();
    const commands = await Promise.all(
      processes
        .filter((one) => one.name === 'sleep' && !isDead(one) && one.parent === 1)
        .map(async (one) => ({one, command: await getCommand(one.identity.pid)})),
    );
    return commands.find(({command}) => command === `sleep\0${seconds}\0`)?.one;
  });
  testProcesses.adopt(pid.identity);
  const found = await findLeftovers({since, directories: [work], sessions: [], known: []}, kernel);
  return found.find(({process}) => process.identity.pid === pid.identity.pid);
}

function getCommand(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

const ways = [
  {
    name: 'works there, with a cleared environment, forked twice',
    script: '(env -i setsid $SLEEP &)',
    because: 'works',
  },
  {
    name: 'has a file of it open',
    script: '(cd "$AWAY"; exec 9< "$WORK/file"; env -i setsid $SLEEP &)',
    because: 'file',
  },
  {
    name: 'has a file of it as its output',
    script: '(cd "$AWAY"; env -i setsid $SLEEP > "$WORK/log" 2>&1 &)',
    because: 'file',
  },
  {
    name: 'carries a mark that no session has',
    script: '(ORCH_SESSION=told setsid $SLEEP &)',
    because: 'works',
  },
  {name: 'carries an empty mark', script: '(ORCH_SESSION= setsid $SLEEP &)', because: 'works'},
  {
    name: 'runs a copy of a program that lies there',
    script:
      '(cp "$(command -v sleep)" "$WORK/sleep"; cd "$AWAY"; env -i setsid "$WORK/sleep" $SECONDS_ &)',
    because: 'program',
  },
];

for (const [index, {name, script, because}] of ways.entries()) {
  test(`it is named what a session left that ${name}`, async (t) => {
    const fixture = await createFixture(t);
    const seconds = 7100 + index;
    const left =
      because === 'program'
        ? await leaveProgram(fixture, script.replace('$SECONDS_', String(seconds)), seconds)
        : await leave(fixture, script, seconds);
    assert.deepEqual([left?.because, left?.where], [because, fixture.work]);
  });
}

/** The command line of a copy begins with its path. */
async function leaveProgram(
  fixture: Fixture,
  script: string,
  seconds: number,
): Promise<LeftoverProcess | undefined> {
  const {testProcesses, work, away, since} = fixture;
  await testProcesses.start(['bash', '-c', script], {
    cwd: work,
    isLeader: true,
    env: {AWAY: away, WORK: work},
    cookie: testProcesses.cookie('program'),
  });
  const pid = await eventually('the copy sleeps, and who started it has gone', async () => {
    const {processes} = await takeSample();
    const found = await Promise.all(
      processes
        .filter((one) => one.name === 'sleep' && one.parent === 1)
        .map(async (one) => ({one, command: await getCommand(one.identity.pid)})),
    );
    return found.find(({command}) => command === `${work}/sleep\0${seconds}\0`)?.one;
  });
  testProcesses.adopt(pid.identity);
  return (await findLeftovers({since, directories: [work], sessions: [], known: []}, kernel)).find(
    ({process}) => process.identity.pid === pid.identity.pid,
  );
}

test("a person's own are not named: what has a terminal, what descends from a shell, what began before, what works elsewhere", async (t) => {
  const {testProcesses, work, away, since} = await createFixture(t);
  const shell = await startInTerminal(t, ['bash', '--norc'], {cwd: work});
  shell.type('setsid -w sleep 7202\n');
  const [below, elsewhere] = [
    await testProcesses.start(['sleep', '7201'], {cwd: work}),
    await testProcesses.start(['sleep', '7203'], {cwd: away}),
  ];
  const child = await eventually('the shell has started what it was told', async () => {
    const {processes} = await takeSample();
    const sleeping = await Promise.all(
      processes
        .filter(({name}) => name === 'sleep')
        .map(async (one) => ({one, command: await getCommand(one.identity.pid)})),
    );
    return sleeping.find(({command}) => command === 'sleep\x007202\x00')?.one;
  });
  testProcesses.adopt(child.identity);
  const own = new Set(
    [shell.root, child, below.process, elsewhere.process].map(({identity}) => identity.pid),
  );
  const found = await findLeftovers({since, directories: [work], sessions: [], known: []}, kernel);
  assert.deepEqual(
    found.filter(({process}) => own.has(process.identity.pid) || own.has(process.parent)),
    [],
  );
});

test("what is a living session's, or descends from somebody known, or began before, is not named", async (t) => {
  const fixture = await createFixture(t);
  const left = await leave(fixture, '(ORCH_SESSION=mine setsid $SLEEP &)', 7301);
  assert.ok(left !== undefined);
  const ask = async (more: object): Promise<number> =>
    (
      await findLeftovers(
        {since: fixture.since, directories: [fixture.work], sessions: [], known: [], ...more},
        kernel,
      )
    ).filter(({process}) => process.identity.pid === left.process.identity.pid).length;
  assert.deepEqual(
    [
      await ask({}),
      await ask({sessions: [{cookie: 'mine'}]}),
      await ask({known: [left.process.identity]}),
      await ask({since: left.process.identity.startTime + 1}),
      await ask({directories: [`${fixture.work}x`]}),
    ],
    [1, 0, 0, 0, 0],
  );
  assert.ok(await processAt(left.process.identity.pid), 'it is named and left alone');
});
