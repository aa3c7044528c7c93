import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

/** Says which directory it serves. */
const server =
  'require("node:http").createServer((_, answer) => { answer.end(require("node:path").basename(process.cwd())); }).listen(Number(process.env.PORT), "127.0.0.1");\n';
const asking =
  'fetch(process.env.ORCHESTRA_SERVICE_WEB_URL).then((got) => got.text()).then((text) => require("node:fs").writeFileSync(process.argv[2], `${text} ${process.env.ORCHESTRA_SERVICE_WEB_PORT}`));\n';

function createTwo(t: Parameters<typeof createFixture>[0], ports: number): LoopFixture {
  return createFixture(t, {
    tasks: [
      {id: 't1', services: ['web']},
      {id: 't2', services: ['web']},
    ],
    files: {
      'server.cjs': server,
      'ask.cjs': asking,
      '.gitignore': '.orchestra/knowledge/\nasked.txt\n',
    },
    project: `ports: {from: ${ports}, perTask: 5}\nservices:\n  web: {command: 'node server.cjs', per: task, ready: {http: /}}\n`,
    rules:
      '# 1. Validation\n1. It is served. `test: node ask.cjs asked.txt && grep -q "^r1-" asked.txt`\n',
    acts: Object.fromEntries(
      ['t1', 't2'].map((id) => [
        id,
        `node ask.cjs ${id}.txt\nwhile [ ! -e $HOME/go ]; do sleep 0.1; done\n`,
      ]),
    ),
  });
}

const liveServices = async (fixture: LoopFixture): Promise<readonly string[]> =>
  (await fixture.sessions())
    .filter((session) => session.for === 'service' && session.ended === undefined)
    .map(({name}) => name)
    .toSorted();

describe('services that each task has for itself', () => {
  it('serve each task its own worktree, survive the daemon, serve the merge, and are gone at the end', async (t) => {
    const fixture = createTwo(t, 23_400);
    void fixture.objective('--approve');
    await fixture.until(
      'both agents work',
      () =>
        fixture.eventsOf('attempt-started').length === 2 &&
        fixture.eventsOf('session-running').length >= 5,
    );
    assert.deepEqual(await liveServices(fixture), ['web@r1.t1', 'web@r1.t2']);
    const {services} = fixture.json('services') as {
      readonly services: readonly {
        readonly spec: {readonly name: string; readonly port?: number};
      }[];
    };
    assert.deepEqual(services.map(({spec}) => [spec.name, spec.port]).toSorted(), [
      ['web', undefined],
      ['web@r1.t1', 23_406],
      ['web@r1.t2', 23_411],
    ]);
    await fixture.killDaemon('SIGKILL');
    assert.match(fixture.run('status').out, /web@r1\.t1: ready/);
    assert.deepEqual(await liveServices(fixture), ['web@r1.t1', 'web@r1.t2']);
    assert.equal(
      fixture.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'service').length,
      2,
      'none was started twice',
    );
    assert.equal(fixture.run('service', 'stop', 'web').code, 1);
    writeFileSync(path.join(fixture.home, 'go'), '');
    await fixture.until('both are merged', () => fixture.eventsOf('task-merged').length === 2);
    assert.deepEqual(
      ['t1', 't2'].map((id) => fixture.git('show', `orchestra/r1:${id}.txt`).trim()),
      ['r1-t1 23406', 'r1-t2 23411'],
    );
    assert.ok(fixture.eventsOf('service-declared').some(({spec}) => spec.name === 'web@r1.merge'));
    await eventually(
      'nothing serves any more',
      async () => (await liveServices(fixture)).length === 0,
    );
    assert.deepEqual(
      (
        fixture.json('services') as {
          readonly services: readonly {readonly spec: {readonly name: string}}[];
        }
      ).services.map(({spec}) => spec.name),
      ['web'],
    );
  });

  it('end with a task that is discarded, before its worktree goes', async (t) => {
    const fixture = createTwo(t, 23_600);
    void fixture.objective('--approve');
    await fixture.until('both agents work', () => fixture.eventsOf('attempt-started').length === 2);
    assert.equal(fixture.run('discard', 'r1.t1').code, 0);
    await fixture.until('its worktree is gone', () =>
      fixture.eventsOf('worktree-removed').some(({owner}) => owner === 'r1.t1'),
    );
    assert.deepEqual(await liveServices(fixture), ['web@r1.t2']);
    assert.equal(fixture.run('discard', 'r1').code, 0);
    await eventually(
      'nothing serves any more',
      async () => (await liveServices(fixture)).length === 0,
    );
  });
});
