import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectSession, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createFixture, type LoopFixture, type StageOptions} from './support/loop-fixture.ts';

const conversation = '00000000-0000-4000-8000-000000000001';

/**
 * A claude whose stream is what the script prints with `say MESSAGE TOKENS`, `retry N`, `call ID
 * COMMAND` and `done`; `hold` waits for a file of that name.
 */
function createClaudeFixture(
  t: TestContext,
  script: string,
  options: StageOptions = {},
): LoopFixture & {readonly bin: string; readonly let: (name: string) => void} {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-claude-'));
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh
read -r prompt
line() { printf '%s\\n' "$1"; }
say() { line '{"type":"assistant","message":{"id":"'"$1"'","role":"assistant","content":[{"type":"text","text":"Message '"$1"'."}],"usage":{"input_tokens":'"$2"',"output_tokens":0}},"session_id":"${conversation}"}'; }
retry() { line '{"type":"system","subtype":"api_retry","attempt":'"$1"',"max_retries":10,"retry_delay_ms":100,"error_status":529,"error":"overloaded"}'; }
begin() { line '{"type":"assistant","message":{"id":"m-'"$1"'","role":"assistant","content":[{"type":"tool_use","id":"'"$1"'","name":"Bash","input":{"command":"'"$2"'"}}],"usage":{"input_tokens":1,"output_tokens":0}},"session_id":"${conversation}"}'; }
call() { begin "$1" "$2"; line '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"'"$1"'","is_error":true,"content":"boom"}]},"session_id":"${conversation}"}'; }
done_() { echo better > t1.txt; line '{"type":"result","subtype":"success","is_error":false,"result":"There it is.","session_id":"${conversation}","usage":{"input_tokens":'"$1"',"output_tokens":0}}'; exit 0; }
hold() { touch "${bin}/at-$1"; while [ ! -e "${bin}/$1" ]; do sleep 0.1; done; }
line '{"type":"system","subtype":"init","session_id":"${conversation}","model":"m","tools":[]}'
${script}
`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    ...options,
    env: {
      PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      ...options.env,
    },
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  return {
    ...fixture,
    bin,
    let: (name) => {
      writeFileSync(path.join(bin, name), '');
    },
  };
}

const start = (
  fixture: LoopFixture,
  ...more: readonly string[]
): ReturnType<LoopFixture['objective']> =>
  fixture.objective('--agent', 'claude', '--planner', 'pretend', '--approve', ...more);
const worker = (state: State) => selectSession(state, 's2');

describe('what an agent uses while it works', () => {
  it('stops it at the limit of the attempt, and is shown before', async (t) => {
    const stage = createClaudeFixture(
      t,
      'say m1 9000\nhold more\nsay m2 12000\nsay m3 100000\nhold never',
      {project: 'limits:\n  attemptTokens: 20000\n'},
    );
    const run = start(stage);
    await stage.until(
      'its tokens are known while it works',
      (state) => worker(state)?.usage.input === 9000 && worker(state)?.life.at === 'running',
      60_000,
    );
    assert.match(stage.run('status').out, /9000 tokens/);
    const listed = (
      stage.json('sessions') as {
        readonly sessions: readonly {
          readonly session: string;
          readonly tokens?: {readonly input: number};
        }[];
      }
    ).sessions.find(({session}) => session === 's2');
    assert.equal(listed?.tokens?.input, 9000);
    stage.let('more');
    assert.equal((await run).code, 3);
    assert.deepEqual(
      stage
        .eventsOf('task-stopped')
        .map(({why}) => why.kind === 'budget' && [why.budget, why.limit]),
      [['tokens', 20_000]],
    );
    const used = worker(await stage.state())?.usage.input ?? 0;
    // The message that passes it, or what came in the same moment.
    assert.ok(used === 21_000 || used === 121_000, String(used));
    await stage.until('nothing of it runs', (state) => state.live.length === 0, 60_000);
  });

  it('halts the run at the limit of the run, and nothing is lost or counted twice when the daemon is killed between', async (t) => {
    const stage = createClaudeFixture(t, 'say m1 3000\nhold more\nsay m2 6000\nhold never');
    const run = start(stage, '--tokens', '8000');
    await stage.until(
      'what it used first is known',
      (state) => worker(state)?.usage.input === 3000,
      60_000,
    );
    await stage.killDaemon('SIGKILL');
    stage.let('more');
    assert.equal((await run).code, 3);
    assert.deepEqual(
      stage.eventsOf('budget-exhausted').map(({budget, used, limit}) => [budget, used, limit]),
      [['tokens', 9000, 8000]],
    );
    assert.deepEqual(
      stage
        .eventsOf('usage-counted')
        .map(({usage}) => usage.input)
        .filter((input, index, all) => index > 0 && input < (all[index - 1] ?? 0)),
      [],
    );
  });

  it('of the planner counts for the run while it plans', async (t) => {
    const fixture = createFixture(t);
    fixture.act(
      'plan',
      'printf \'{"usage":{"input":5000,"output":1}}\' > "$(dirname "$2")/activity.json"; sleep 600',
    );
    const {code} = await fixture.objective('--tokens', '4000');
    assert.equal(code, 3);
    assert.deepEqual(
      fixture.eventsOf('budget-exhausted').map(({used}) => used),
      [5001],
    );
  });
});

describe('an agent in a loop', () => {
  it('is a need with the evidence, goes on when it is acknowledged, and is not asked about again', async (t) => {
    const stage = createClaudeFixture(
      t,
      'for n in 1 2 3 4 5; do call t$n "npm test"; done\nhold more\ncall t6 "npm test"\nhold last\ndone_ 10',
    );
    const run = start(stage);
    await stage.until('it is told', (state) => (worker(state)?.loops?.length ?? 0) > 0, 60_000);
    const [need] = stage.needs().filter(({kind}) => kind === 'loop');
    assert.match(
      need?.words ?? '',
      /^Do t1 \(s2\) seems to go in circles: the same command failed [45] times in the same way, with no change in between: Bash npm test$/,
    );
    assert.notEqual(stage.run('needs', '--seen', 'nonsense').code, 0);
    assert.equal(stage.run('needs', '--seen', 's2/1').code, 0);
    stage.let('more');
    await eventually('it went on', () => existsSync(path.join(stage.bin, 'at-last')));
    assert.equal(stage.needs().length, 0);
    stage.let('last');
    assert.equal((await run).code, 0);
    assert.deepEqual(
      [stage.eventsOf('loop-noticed').length, stage.eventsOf('loop-seen').length],
      [1, 1],
    );
  });

  it('is stopped where the project says so', async (t) => {
    const stage = createClaudeFixture(
      t,
      'for n in 1 2 3; do call t$n "npm test"; done\nhold never',
      {
        project: 'limits: {sameFailures: 2, onLoop: stop}\n',
      },
    );
    assert.equal((await start(stage)).code, 3);
    assert.deepEqual(
      stage
        .eventsOf('task-stopped')
        .map(({why}) => why.kind === 'loop' && [why.loop, why.evidence]),
      [['same-failures', 'Bash npm test']],
    );
  });

  it('that works for long and changes nothing is reported', async (t) => {
    const fixture = createFixture(t, {
      acts: {
        t1: 'n=0; while [ ! -e "$HOME/go" ]; do n=$((n+1)); echo "step $n"; sleep 0.2; done; echo ok > t1.txt',
      },
      project: 'limits: {unchangedMinutes: 2, noProgressMinutes: 600}\n',
      env: {ORCHESTRA_MINUTE_MS: '1500'},
    });
    const run = fixture.objective('--approve');
    await fixture.until(
      'it is told',
      (state) => worker(state)?.loops?.[0]?.kind === 'unchanged',
      60_000,
    );
    assert.match(
      fixture.needs()[0]?.words ?? '',
      /nothing in the worktree has changed for \d+ min/,
    );
    writeFileSync(path.join(fixture.home, 'go'), '');
    assert.equal((await run).code, 0);
  });
});

describe('progress', () => {
  const limits = {project: 'limits:\n  noProgressMinutes: 2\n', env: {ORCHESTRA_MINUTE_MS: '2000'}};
  const stalled = (fixture: LoopFixture): unknown[] =>
    fixture.eventsOf('task-stopped').map(({why}) => why.kind === 'budget' && why.budget);

  it('is not that a service is asked again: it is shown, and stopped in the end', async (t) => {
    const stage = createClaudeFixture(
      t,
      'say m1 10\nn=0; while :; do n=$((n+1)); retry $n; sleep 0.3; done',
      limits,
    );
    const run = start(stage);
    await stage.until('it is told', (state) => (worker(state)?.retrying?.times ?? 0) > 0, 60_000);
    assert.match(
      stage.run('status').out,
      /its agent's service fails: retrying for \d+ s, \d+(?:st|nd|rd|th) time, HTTP 529/,
    );
    assert.equal((await run).code, 3);
    assert.deepEqual(stalled(stage), ['no-progress']);
    assert.ok(stage.eventsOf('retry-noticed').length < 10);
  });

  for (const [name, act] of [
    [
      'a spinner that turns',
      'while :; do for s in "|" "/" "-"; do printf "\\r$s working"; sleep 0.1; done; done',
    ],
    ['a processor that is kept busy by the agent itself', 'echo begun; while :; do :; done'],
  ] as const) {
    it(`is not ${name}`, async (t) => {
      const fixture = createFixture(t, {acts: {t1: act}, ...limits});
      assert.equal((await fixture.objective('--approve')).code, 3);
      assert.deepEqual(stalled(fixture), ['no-progress']);
    });
  }

  it('is a long quiet build that the agent started', async (t) => {
    const build = 'sh -c \'while [ ! -e "$HOME/built" ]; do :; done\'';
    const stage = createClaudeFixture(
      t,
      `begin t1 make\ntouch "$HOME/building"\n${build}\ndone_ 10`,
      limits,
    );
    const run = start(stage);
    await eventually('it builds', () => existsSync(path.join(stage.home, 'building')));
    const begun = Date.now();
    await stage.until(
      'it has been silent for longer than the limit',
      (state) => Date.now() - begun > 9000 && state.live.length > 0,
      60_000,
    );
    writeFileSync(path.join(stage.home, 'built'), '');
    assert.equal((await run).code, 0);
    assert.deepEqual(stalled(stage), []);
  });
});
