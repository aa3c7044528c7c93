import assert from 'node:assert/strict';
import {type TestContext, test} from 'node:test';
import {
  type ProcessKey,
  type ProcessTree,
  readProcessTree,
  signalProcess,
  type TreeQuestion,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {isAlive, kernel, processAt} from '../support/own-kernel.ts';
import {fakeBootId, createFakeProc} from '../support/fake-proc.ts';
import {startInTerminal} from '../support/terminal-program.ts';
import {createTestProcesses, type TestProcesses} from '../support/test-processes.ts';

async function lookAt(question: TreeQuestion): Promise<ProcessTree> {
  const tree = await readProcessTree(question, kernel);
  if ('unknown' in tree) throw new Error(tree.unknown);
  return tree.value;
}

/** command → how it was found, or why it is suspected; of the sleepers only. */
function getSummary({members, unproven}: ProcessTree): Record<string, string> {
  const found = members.map(({command, found}) => [command, found] as const);
  const suspected = unproven.map(
    ({process: {name}, because}) => [`${name}, unproven`, because] as const,
  );
  return Object.fromEntries(
    [...found, ...suspected].filter(([command]) => command.startsWith('sleep')).sort(),
  );
}

/** Those without a cookie are not found by the testProcesses. */
function adoptAll(testProcesses: TestProcesses, {members, unproven}: ProcessTree): void {
  for (const {identity} of [...members, ...unproven.map(({process}) => process)])
    testProcesses.adopt(identity);
}

const script = `
sleep 1001 &
setsid sleep 1002 &
nohup setsid sleep 1003 >/dev/null 2>&1 &
(setsid bash -c 'sleep 1004 & disown' &)
env -i sleep 1005 &
env -i setsid sleep 1006 &
(env -i sleep 1007 &)
(env -i setsid sleep 1008 &)
ORCH_SESSION=$OTHER sleep 1009 &
wait`;

async function startSleepers(t: TestContext): Promise<{
  readonly question: TreeQuestion;
  readonly root: ProcessKey;
  readonly tree: ProcessTree;
}> {
  const [testProcesses, directory] = [createTestProcesses(t), temporaryDirectory(t)];
  const cookie = testProcesses.cookie('ours');
  const {
    process: {identity: root},
  } = await testProcesses.start(['bash', '-c', script], {
    cookie,
    cwd: directory,
    isLeader: true,
    env: {OTHER: testProcesses.cookie('other')},
  });
  const question = {cookie, root, directory};
  const tree = await eventually('all sleep, and who started them has gone', async () => {
    const now = await lookAt(question);
    const starters = now.members.filter(
      ({identity, command}) => identity.pid !== root.pid && !command.startsWith('sleep'),
    );
    return Object.keys(getSummary(now)).length === 9 && starters.length === 0 && now;
  });
  adoptAll(testProcesses, tree);
  return {question, root, tree};
}

test('every process of a session is found, with the proof: also those that left it by setsid, nohup or a double fork', async (t) => {
  const {tree, root} = await startSleepers(t);
  assert.deepEqual(getSummary(tree), {
    'sleep 1001': 'cookie',
    'sleep 1002': 'cookie',
    'sleep 1003': 'cookie',
    'sleep 1004': 'cookie',
    'sleep 1005': 'descendant',
    'sleep 1006': 'descendant',
    'sleep 1007': 'process-session',
    'sleep 1009': 'descendant',
    'sleep, unproven': 'directory',
  });
  assert.ok(tree.members.every(({identity}) => identity.bootId === root.bootId));
});

test('when the first process has died, the others are still found; who has cut every link only if it was known before', async (t) => {
  const {question, root, tree} = await startSleepers(t);
  await signalProcess({identity: root}, 'SIGKILL', kernel);
  await eventually('the first process is gone', async () => !isAlive(await processAt(root.pid)));
  const after = {
    'sleep 1001': 'cookie',
    'sleep 1002': 'cookie',
    'sleep 1003': 'cookie',
    'sleep 1004': 'cookie',
    'sleep 1005': 'process-session',
    'sleep 1007': 'process-session',
    'sleep 1009': 'process-session',
  };
  assert.deepEqual(getSummary(await lookAt({...question, directory: undefined})), after);
  const earlier = tree.members.map(({identity}) => identity);
  assert.deepEqual(getSummary(await lookAt({...question, directory: undefined, earlier})), {
    ...after,
    'sleep 1005': 'earlier',
    'sleep 1006': 'earlier',
    'sleep 1007': 'earlier',
    'sleep 1009': 'earlier',
  });
});

test("who holds the session's terminal and cannot be proven is named", async (t) => {
  const [testProcesses, cwd] = [createTestProcesses(t), temporaryDirectory(t)];
  const cookie = testProcesses.cookie('terminal');
  const {root} = await startInTerminal(
    t,
    ['bash', '-c', '(env -i setsid sleep 1000 &); sleep 1001'],
    {
      cwd,
      cookie,
    },
  );
  const tree = await eventually('both sleep, and who started them has gone', async () => {
    const now = await lookAt({cookie, root: root.identity});
    return Object.keys(getSummary(now)).length === 2 && now.members.length <= 2 && now;
  });
  adoptAll(testProcesses, tree);
  assert.deepEqual(getSummary(tree), {'sleep 1001': 'cookie', 'sleep, unproven': 'terminal'});
});

test('a process without any link is never a member: not one of the same directory, not one with another cookie', async (t) => {
  const [testProcesses, cwd] = [createTestProcesses(t), temporaryDirectory(t)];
  const cookie = testProcesses.cookie('ours');
  await testProcesses.start(['sleep', '1000'], {cookie, cwd});
  await testProcesses.start(['sleep', '1001'], {cookie: testProcesses.cookie('other'), cwd});
  await testProcesses.start(['sleep', '1002'], {cookie: `${cookie}x`, cwd});
  await testProcesses.start(['sleep', '1003'], {
    cwd,
    env: {NOT_ORCH_SESSION: cookie, X: `ORCH_SESSION=${cookie}`},
  });
  assert.deepEqual(Object.keys(getSummary(await lookAt({cookie}))), ['sleep 1000']);
});

test('the links, as data', async (t) => {
  const {kernel: fakeKernel, put} = createFakeProc(t);
  const cookie = 'ORCH_SESSION=c\0';
  const members = async (question: TreeQuestion): Promise<readonly string[]> => {
    const tree = await readProcessTree(question, fakeKernel);
    return 'value' in tree
      ? tree.value.members.map(({identity: {pid}, found}) => `${pid} ${found}`)
      : [];
  };

  put(
    {pid: 10, startTime: 100},
    {pid: 11, parent: 10, group: 10, session: 10, startTime: 101},
    {pid: 12, parent: 1, group: 12, session: 10, startTime: 102},
    {pid: 13, parent: 12, startTime: 103},
    {pid: 14, parent: 1, group: 14, session: 13, startTime: 104},
    {pid: 20, parent: 1, environ: `A=1\0${cookie}B=2\0`, startTime: 50},
    {pid: 21, parent: 20, environ: 'ORCH_SESSION=d\0', startTime: 51},
    {pid: 22, parent: 21, startTime: 52},
    {pid: 23, parent: 20, state: 'Z', startTime: 53},
    {pid: 24, parent: 20, startTime: 49},
    {pid: 30, parent: 1, environ: `ORCH_SESSION=d\0${cookie}`},
    {pid: 31, parent: 1, environ: 'ORCH_SESSION'},
  );
  const root = {pid: 10, startTime: 100, bootId: fakeBootId};
  const linked = [
    '20 cookie',
    '10 root',
    '11 descendant',
    '12 process-session',
    '13 descendant',
    '14 process-session',
  ];
  const renamed = ['21 descendant', '22 descendant'];
  assert.deepEqual(
    (await members({cookie: 'c', root})).toSorted(),
    [...linked, ...renamed].toSorted(),
    "a child older than its parent and a dead one are not among them; one that calls itself another session's is",
  );
  assert.deepEqual(await members({cookie: 'c'}), ['20 cookie', ...renamed]);
  const other = {pid: 21, startTime: 51, bootId: fakeBootId};
  assert.deepEqual(
    (await members({cookie: 'c', root, apart: [other]})).toSorted(),
    linked.toSorted(),
    "what is known to be another session's stays that session's, with all that came of it",
  );
  assert.deepEqual(
    await members({cookie: 'c', apart: [{...other, startTime: 50}]}),
    ['20 cookie', ...renamed],
    'the number was used again',
  );
  assert.deepEqual(
    await members({cookie: 'none', root: {...root, startTime: 99}}),
    [],
    'the number was used again',
  );
  assert.deepEqual(
    await members({cookie: 'none', root: {...root, bootId: 'another'}}),
    [],
    'the machine was started again',
  );
});
