import assert from 'node:assert/strict';
import path from 'node:path';
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import type {Session, SessionId} from '../../../source/domain/index.ts';
import {
  areTerminalsUnchanged,
  readTerminalActivity,
  type TerminalActivity,
} from '../../../source/daemon/monitors/terminal-activity.ts';
import {sessionFiles, toSegmentName} from '../../../source/protocol/index.ts';
import {readProcesses} from '../../../source/system/index.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';
import {createFakeProc, type FakeProc, type FakeProcess} from '../../system/support/fake-proc.ts';

const terminal = 136 * 256 + 7;
const shell: FakeProcess = {pid: 100, terminal};
const child: FakeProcess = {pid: 101, parent: 100, terminal};
const session = {
  id: 's1',
  purpose: {for: 'person'},
  life: {at: 'running', since: 0},
  inputs: [],
} as unknown as Session;

type Setup = {
  readonly proc: FakeProc;
  readonly context: Parameters<typeof readTerminalActivity>[0];
  /** The processes run: they switch so often. */
  readonly setSwitches: (pid: number, count: number) => void;
  readonly print: (text: string) => void;
  readonly seen: Map<SessionId, TerminalActivity>;
  readonly isUnchanged: (sessions?: readonly Session[]) => Promise<boolean>;
};

async function setUp(t: TestContext): Promise<Setup> {
  const proc = createFakeProc(t);
  const directory = temporaryDirectory(t);
  const log = path.join(directory, sessionFiles.output);
  mkdirSync(log);
  writeFileSync(path.join(log, toSegmentName(0)), 'READY');
  const setSwitches = (pid: number, count: number): void => {
    proc.putFile(`${pid}/status`, `Name:\tfake\nvoluntary_ctxt_switches:\t${count}\n`);
  };

  proc.put(shell, child, {pid: 200});
  for (const pid of [100, 101, 200]) setSwitches(pid, 1);
  const context = {
    kernel: proc.kernel,
    now: () => 0,
    store: {directoryOf: () => directory, metaOf: () => ({child: {pid: 100}})},
  } as unknown as Setup['context'];
  const all = await readProcesses(proc.kernel);
  assert.ok('value' in all);
  const activity = readTerminalActivity(context, session, all.value);
  assert.ok(activity !== undefined);
  assert.deepEqual(
    activity.processes.map(({identity}) => identity.pid).toSorted((one, other) => one - other),
    [100, 101],
  );
  const seen = new Map([[session.id, activity]]);
  return {
    proc,
    context,
    setSwitches,
    print: (text) => {
      appendFileSync(path.join(log, toSegmentName(0)), text);
    },
    seen,
    isUnchanged: (sessions = [session]) => areTerminalsUnchanged(context, sessions, seen),
  };
}

test('a terminal whose processes sleep is unchanged, whatever other processes do', async (t) => {
  const {proc, setSwitches, isUnchanged} = await setUp(t);
  assert.equal(await isUnchanged(), true);
  setSwitches(200, 99);
  proc.put({pid: 201, cpuTicks: 50});
  proc.remove(200);
  assert.equal(await isUnchanged(), true);
});

test('a process of the terminal that ran, ended or was replaced is a change', async (t) => {
  for (const change of ['ran', 'ended', 'replaced', 'runs'] as const) {
    const {proc, setSwitches, isUnchanged} = await setUp(t);
    if (change === 'ran') setSwitches(101, 2);
    if (change === 'ended') proc.remove(101);
    if (change === 'replaced' || change === 'runs') {
      proc.put(change === 'runs' ? {...child, state: 'R'} : {...child, startTime: 5000});
      setSwitches(101, 1);
    }

    assert.equal(await isUnchanged(), false, change);
  }
});

test('output is a change', async (t) => {
  const {print, isUnchanged} = await setUp(t);
  print('$ ');
  assert.equal(await isUnchanged(), false);
});

test('a session that was not checked yet is a change; without sessions nothing changes', async (t) => {
  const {isUnchanged, seen} = await setUp(t);
  assert.equal(await isUnchanged([session, {...session, id: 's2'}]), false);
  assert.equal(await isUnchanged([]), true);
  seen.clear();
  assert.equal(await isUnchanged(), false);
});

test('a session that asks through its tools needs no check, unless it still counts as waiting', async (t) => {
  const {isUnchanged, seen} = await setUp(t);
  const asking = {...session, questions: [{}]} as unknown as Session;
  seen.clear();
  assert.equal(await isUnchanged([asking]), true);
  assert.equal(await isUnchanged([{...asking, waiting: {proof: 'proven'}} as Session]), false);
});
