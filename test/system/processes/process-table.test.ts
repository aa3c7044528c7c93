import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {copyFileSync, readFileSync, symlinkSync} from 'node:fs';
import {test} from 'node:test';
import {
  isSameProcessKey,
  readProcess,
  readProcesses,
  readProcessTree,
  readSystem,
  rereadProcesses,
  usageBetween,
} from '../../../source/system/index.ts';
import {parsePs} from '../../../source/system/processes/process-table.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {processAt, takeSample} from '../support/own-kernel.ts';
import {fakeBootId, createFakeProc} from '../support/fake-proc.ts';
import {createTestProcesses} from '../support/test-processes.ts';

test('this very process is read as it is', async () => {
  const began = Date.now() - process.uptime() * 1000;
  const found = await processAt(process.pid);
  assert.equal(found?.parent, process.ppid);
  assert.equal(found.uid, os.userInfo().uid);
  assert.equal(found.identity.bootId, readSystem().bootId);
  assert.equal(
    found.identity.startTime,
    Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19]),
  );
  assert.ok(Math.abs(found.startedAt - began) < 2000, `${found.startedAt}, ${began}`);
  assert.ok(found.memory > 10_000_000 && found.memory < 4_000_000_000, `${found.memory}`);
  const {user, system} = process.cpuUsage();
  assert.ok(Math.abs(found.cpuMs - (user + system) / 1000) < 500, `${found.cpuMs}`);
});

test('an answer says where and when it was read, or why it could not be', async (t) => {
  const {kernel: fakeKernel, put} = createFakeProc(t);
  put({pid: 7});
  const all = await readProcesses(fakeKernel);
  assert.deepEqual(
    {source: all.source, at: all.at},
    {source: fakeKernel.proc, at: 1_700_000_000_000},
  );
  assert.deepEqual(await readProcess(8, fakeKernel), {
    source: `${fakeKernel.proc}/8/stat`,
    at: 1_700_000_000_000,
    value: undefined,
  });
  const nowhere = await readProcesses({...fakeKernel, proc: '/no/such/directory'});
  assert.match('unknown' in nowhere ? nowhere.unknown : '', /boot cannot be read/);
  const foreign = await readProcesses({...fakeKernel, platform: 'win32'});
  assert.match('unknown' in foreign ? foreign.unknown : '', /win32/);
});

test('a process of a fake /proc is read field by field', async (t) => {
  const {kernel: fakeKernel, put} = createFakeProc(t);
  put({
    pid: 42,
    name: 'sh',
    state: 'T',
    parent: 7,
    group: 40,
    session: 39,
    terminal: 136 * 256 + 5,
    startTime: 90_000,
    cpuTicks: 12,
  });
  assert.deepEqual(((await readProcess(42, fakeKernel)) as {value: unknown}).value, {
    identity: {pid: 42, startTime: 90_000, bootId: fakeBootId},
    uid: os.userInfo().uid,
    parent: 7,
    group: 40,
    session: 39,
    terminal: '/dev/pts/5',
    foreground: 40,
    state: 'T',
    cpuMs: 120,
    reapedMs: 0,
    memory: 256 * 4096,
    startedAt: 1_700_000_000_000 - 100_000,
    name: 'sh',
  });
});

for (const [name, shown] of [
  [') S 1 1 1 0 -1 (', ') S 1 1 1 0 -1 ('],
  ['a\nb) R 2', String.raw`a\nb) R 2`],
  ['\u001B]0;x\u0007', String.raw`\u{1b}]0;x\u{7}`],
  ['', ''],
] as const) {
  test(`a process cannot forge its numbers by calling itself ${JSON.stringify(name)}`, async (t) => {
    const {kernel: fakeKernel, put} = createFakeProc(t);
    put({
      pid: 42,
      name,
      parent: 7,
      startTime: 555,
      environ: 'ORCH_SESSION=c\0',
      cmdline: `${name}\0--x\0\0`,
    });
    const tree = await readProcessTree({cookie: 'c'}, fakeKernel);
    const [member] = 'value' in tree ? tree.value.members : [];
    assert.deepEqual(
      [member?.parent, member?.identity.startTime, member?.name, member?.command],
      [7, 555, shown, `${shown} --x`],
    );
  });
}

test('a real program with a hostile name is read', async (t) => {
  const [testProcesses, home] = [createTestProcesses(t), temporaryDirectory(t)];
  const file = path.join(home, 'a) R 1\n(\u001B[2J');
  copyFileSync('/bin/sleep', file);
  const {process: started} = await testProcesses.start([file, '1000']);
  const found = await eventually('it has its new name, and sleeps', async () => {
    const now = await processAt(started.identity.pid);
    return now?.name.startsWith('a)') === true && now.state === 'S' && now;
  });
  assert.deepEqual(
    [found.name, found.parent, found.state],
    [String.raw`a) R 1\n(\u{1b}[2J`, process.pid, 'S'],
  );
});

test('threads of the kernel, torn lines and processes that vanish are left out', async (t) => {
  const {kernel: fakeKernel, put, putFile} = createFakeProc(t);
  put({pid: 2, flags: 0x20_80_40}, {pid: 3});
  putFile('4/stat', '4 (torn) S 1 4');
  putFile('5/stat', '');
  putFile('6/other', 'no stat: it has just ended');
  symlinkSync('gone', path.join(fakeKernel.proc, '9'));
  const all = await readProcesses(fakeKernel);
  assert.deepEqual('value' in all ? all.value.map(({identity}) => identity.pid) : [], [3]);
});

test('hundreds of processes that come and go while they are read do no harm', async (t) => {
  const testProcesses = createTestProcesses(t);
  await testProcesses.start(
    ['bash', '-c', 'for i in {1..400}; do /bin/true & done; wait; exec sleep 1000'],
    {cookie: testProcesses.cookie('busy')},
  );
  for (let round = 0; round < 20; round += 1)
    assert.ok((await takeSample()).processes.some(({identity}) => identity.pid === process.pid));
});

test('the same number with another start or another boot is another process', () => {
  const identity = {pid: 5, startTime: 7, bootId: 'a'};
  assert.ok(isSameProcessKey(identity, {...identity}));
  assert.ok(!isSameProcessKey(identity, {...identity, startTime: 8}));
  assert.ok(!isSameProcessKey(identity, {...identity, bootId: 'b'}));
});

test('two samples tell who used the processor', async (t) => {
  const testProcesses = createTestProcesses(t);
  const cookie = testProcesses.cookie('busy');
  const {process: busy} = await testProcesses.start(['bash', '-c', 'while :; do :; done'], {
    cookie,
  });
  const {process: calm} = await testProcesses.start(['sleep', '1000'], {cookie});
  const only = async (pid: number): Promise<{at: number; processes: readonly (typeof busy)[]}> => {
    const sample = await takeSample();
    return {...sample, processes: sample.processes.filter(({identity}) => identity.pid === pid)};
  };

  const began = performance.now();
  const earlier = {busy: await only(busy.identity.pid), calm: await only(calm.identity.pid)};
  const usedBefore = earlier.busy.processes[0]!.cpuMs;
  await eventually(
    'the busy one has used another tenth of a second',
    async () => ((await processAt(busy.identity.pid))?.cpuMs ?? 0) >= usedBefore + 100,
  );
  const later = await only(busy.identity.pid);
  const usage = usageBetween(earlier.busy, later);
  // One thread uses no more than the time that passes; a sample is stamped a moment before the
  // process is read.
  const usedMs = usage.cpu * (later.at - earlier.busy.at);
  assert.ok(
    usedMs >= 99 && usedMs <= performance.now() - began + 20 && usage.memory > 0,
    JSON.stringify({...usage, usedMs}),
  );
  assert.ok(usageBetween(earlier.calm, await only(calm.identity.pid)).cpu < usage.cpu);
});

test('one that began in between counts from its beginning, one that was overlooked not at all', async (t) => {
  const {kernel: fakeKernel, put} = createFakeProc(t);
  put({pid: 3, startTime: 1000, cpuTicks: 50}, {pid: 4, startTime: 99_990, cpuTicks: 20});
  const all = await readProcesses(fakeKernel);
  const processes = 'value' in all ? all.value : [];
  assert.deepEqual(usageBetween({at: all.at - 1000, processes: []}, {at: all.at, processes}), {
    cpu: 0.2,
    memory: 2 * 256 * 4096,
  });
});

test('processes are read again by themselves: one that is gone, or whose number somebody else has now, is left out', async (t) => {
  const {kernel: fakeKernel, put} = createFakeProc(t);
  put(
    {pid: 3, startTime: 1000, cpuTicks: 50},
    {pid: 4, startTime: 1000},
    {pid: 5, startTime: 1000},
  );
  const all = await readProcesses(fakeKernel);
  const [three, four] = 'value' in all ? all.value : [];
  put(
    {pid: 3, startTime: 1000, cpuTicks: 70},
    {pid: 4, startTime: 2000},
    {pid: 6, startTime: 2000},
  );
  const again = await rereadProcesses(
    [three!, four!, {...four!, identity: {...four!.identity, pid: 77}}],
    fakeKernel,
  );
  assert.deepEqual(again, {at: fakeKernel.now(), processes: [{...three!, cpuMs: 700}]});
});

test('ps of macOS is read, as far as its manual tells (unverified)', () => {
  const table = [
    '    1     0     0     1     -1 ??       Ss    12345   1:02:03.50 Mon Nov 16 08:30:00 2026    ',
    '  812   501     1   812    900 ttys003  S+     2048   0:00.03 Mon Nov 16 09:01:02 2026    ',
    'a line that somebody made up',
  ].join('\n');
  const names = '    1 /sbin/launchd\n  812 /bin/z\u001Bsh\n';
  const [first, second, ...rest] = parsePs(table, names, 'boot');
  assert.deepEqual(rest, []);
  assert.deepEqual(first, {
    identity: {pid: 1, startTime: Date.parse('Mon Nov 16 08:30:00 2026') / 1000, bootId: 'boot'},
    uid: 0,
    parent: 0,
    group: 1,
    session: 0,
    foreground: -1,
    state: 'S',
    cpuMs: 3_723_500,
    memory: 12_345 * 1024,
    startedAt: Date.parse('Mon Nov 16 08:30:00 2026'),
    name: 'launchd',
  });
  assert.deepEqual(
    [second?.terminal, second?.foreground, second?.name],
    ['/dev/ttys003', 900, String.raw`z\u{1b}sh`],
  );
});
