import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {webServer} from '../../network/support.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

/** Asks for a page through the proxy, if there is one, and directly; each in one line. */
const asks = (port: number): string => `#!/bin/bash
ask() { exec 5<>/dev/tcp/127.0.0.1/$1 && printf '%b' "$2" >&5 && timeout 5 head -1 <&5; }
echo "direct: $( (ask ${port} 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n') 2>&1 | head -1)"
echo "listed: $( (ask 61080 'GET http://127.0.0.1:${port}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\nConnection: close\\r\\n\\r\\n') 2>&1 | head -1)"
echo "unlisted: $( (ask 61080 'CONNECT evil.example:443 HTTP/1.1\\r\\n\\r\\n') 2>&1 | head -1)"
`;

const act = 'bash ask.sh > t1.txt; exit 0';

function getStage(
  t: Parameters<typeof createFixture>[0],
  port: number,
  network: string,
  check = 'true',
): LoopFixture {
  return createFixture(t, {
    project: `sandbox: {use: required, network: ${network}}\n`,
    files: {'ask.sh': asks(port)},
    acts: {t1: act},
    rules: `# 1. Validation\n1. The network is as it should be. \`test: ${check}\`\n`,
  });
}

const resultIn = (fixture: LoopFixture): string => fixture.git('show', 'orchestra/r1:t1.txt');

describe('a run whose network is restricted', needs('bubblewrap'), () => {
  test('reaches what is listed, and what was refused is in the journal, the timeline and explain, once', async (t) => {
    const web = await webServer(t, 'web');
    const fixture = getStage(t, web.port, `{allow: ["127.0.0.1:${web.port}"]}`, 'bash ask.sh');
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.match(
      resultIn(fixture),
      /^direct: HTTP\/1\.1 200 OK\r?\nlisted: HTTP\/1\.1 200 OK\r?\nunlisted: HTTP\/1\.1 403 Forbidden/,
    );
    const worker = fixture
      .eventsOf('session-asked')
      .find(({purpose}) => purpose.for === 'attempt')!.session;
    const rejected = fixture.eventsOf('network-refused').filter(({session}) => session === worker);
    assert.deepEqual(
      rejected.map(({host, port, why, times}) => ({host, port, why, times})),
      [{host: 'evil.example', port: 443, why: 'not-listed', times: 1}],
    );
    assert.match(
      fixture.run('timeline', 'r1').out,
      /was denied evil\.example:443: the project does not list this host/,
    );
    const explained = fixture.run('explain', worker).out;
    assert.match(explained, /network +127\.0\.0\.1:\d+\. Nothing else\./);
    assert.match(
      explained,
      /refused +evil\.example:443: the project does not list this host \(1 time\)/,
    );
    // A check prints lines, so there it is also seen in the pane.
    const check = fixture
      .eventsOf('session-asked')
      .find(({purpose}) => purpose.for === 'check')!.session;
    assert.match(
      fixture.run('logs', check).out,
      /orchestra: the network refused evil\.example:443/,
    );
  });

  test('a check without a network, while workers have all of it', async (t) => {
    const web = await webServer(t, 'web');
    const fixture = getStage(
      t,
      web.port,
      '{checks: none}',
      'bash ask.sh | tee /dev/stderr | grep -c 200; test $(bash ask.sh | grep -c 200) = 0',
    );
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.match(resultIn(fixture), /^direct: HTTP\/1\.1 200 OK/);
    assert.equal(web.asked.length, 1, 'the worker alone');
  });

  for (const network of ['none', '{allow: []}']) {
    test(`our tools are reached with the network ${network}`, async (t) => {
      const web = await webServer(t, 'web');
      const fixture = getStage(t, web.port, `{workers: ${network}}`);
      fixture.act(
        't1',
        `'${process.execPath}' -e 'const {socket} = JSON.parse(require("fs").readFileSync(process.env.ORCHESTRA_TOOLS, "utf8")); const s = require("net").connect(socket, () => { console.log("connected"); s.destroy(); }); s.on("error", (e) => console.log(e.code))' > t1.txt; bash ask.sh >> t1.txt; exit 0`,
      );
      assert.equal((await fixture.objective('--approve')).code, 0);
      assert.match(resultIn(fixture), /^connected\n/);
      assert.doesNotMatch(resultIn(fixture), / 200 /);
      assert.equal(web.asked.length, 0);
    });
  }

  test("a listed host is not a check's when only workers have it", async (t) => {
    const web = await webServer(t, 'web');
    const fixture = getStage(
      t,
      web.port,
      `{workers: {allow: ["localhost:${web.port}"]}, checks: {allow: []}}`,
      'test $(bash ask.sh | grep -c 200) = 0',
    );
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.match(resultIn(fixture), /^direct: HTTP\/1\.1 200 OK/);
    assert.equal(web.asked.length, 1, 'the worker alone, and through its own loopback');
  });

  test('the proxy goes on when the daemon is killed, and what was refused meanwhile is told by the next one', async (t) => {
    const web = await webServer(t, 'web');
    const fixture = getStage(t, web.port, `{workers: {allow: ["127.0.0.1:${web.port}"]}}`);
    const file = (name: string): string => path.join(fixture.worktree('r1.t1'), name);
    fixture.act(
      't1',
      'touch begun; until [ -e go ]; do sleep 0.05; done; bash ask.sh > t1.txt; cp t1.txt asking; mv asking asked; until [ -e end ]; do sleep 0.05; done; rm -f begun go asked end; exit 0',
    );
    await fixture.objective();
    fixture.run('plan', 'approve', 'r1');
    await eventually('the worker is at work', () => existsSync(file('begun')));
    await fixture.killDaemon('SIGKILL');
    writeFileSync(file('go'), '');
    await eventually('it has asked', () => existsSync(file('asked')));
    assert.match(
      readFileSync(file('asked'), 'utf8'),
      /^direct: HTTP\/1\.1 200 OK\r?\nlisted: HTTP\/1\.1 200 OK\r?\nunlisted: HTTP\/1\.1 403/,
    );
    assert.deepEqual(fixture.eventsOf('network-refused'), []);
    assert.equal(fixture.run('daemon', 'start').code, 0);
    await eventually('it is told', () => fixture.eventsOf('network-refused').length === 1);
    writeFileSync(file('end'), '');
    await eventually('the task is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.eventsOf('network-refused').length, 1);
  });
});

test('with sandbox off, a network that was asked for is a problem of the project file', (t) => {
  const fixture = createFixture(t, {project: 'sandbox: {use: off, network: none}\n'});
  assert.match(fixture.run('doctor').out, /does nothing with "use: off"/);
});
