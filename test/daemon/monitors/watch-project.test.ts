import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import type {Conductor} from '../../../source/daemon/engine/conductor.ts';
import {projectFingerprint, watchProject} from '../../../source/daemon/monitors/watch-project.ts';
import {emptyState, type Project} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture} from '../support/daemon-fixture.ts';

test('what is written into the project file holds at once; a file that cannot be read changes nothing', async (t) => {
  const fixture = createDaemonFixture(t);
  const services = (): readonly string[] =>
    (
      fixture.json('services') as {
        readonly services: readonly {readonly spec: {readonly name: string}}[];
      }
    ).services.map(({spec}) => spec.name);
  const write = (text: string): void => {
    mkdirSync(path.join(fixture.root, '.orchestra'), {recursive: true});
    // At once: a file that is just being written is empty for a moment, and to declare nothing is
    // valid.
    writeFileSync(path.join(fixture.root, '.orchestra', 'project.new'), text);
    renameSync(
      path.join(fixture.root, '.orchestra', 'project.new'),
      path.join(fixture.root, '.orchestra', 'project.yaml'),
    );
  };
  const read = (): number => fixture.events().filter(({type}) => type === 'project-read').length;
  assert.deepEqual(services(), []);

  write('services:\n  web: sleep 100\n');
  await eventually('the service is known', () => services().join() === 'web');
  const before = read();
  write('services: [\n');
  await eventually('it was looked at', () =>
    readFileSync(path.join(fixture.current().stateDirectory, 'daemon.log'), 'utf8').includes(
      'project.yaml:',
    ),
  );
  assert.deepEqual([services(), read()], [['web'], before]);

  write('services:\n  web: sleep 100\n  mail: sleep 100\n');
  await eventually(
    'the other one is known as well',
    () => services().toSorted().join() === 'mail,web',
  );
});

test('what is written after the file was first read and before anybody watches is not missed', async (t) => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orchestra-project-'));
  const watching = new AbortController();
  t.after(() => {
    rmSync(root, {recursive: true});
  });
  mkdirSync(path.join(root, '.orchestra'));
  const print = projectFingerprint(root);
  writeFileSync(path.join(root, '.orchestra', 'project.yaml'), 'services:\n  web: sleep 100\n');
  const read: Project[] = [];
  const conductor = {
    state: () => emptyState,
    submit: ({saw}: {readonly saw: {readonly project: Project}}) =>
      Promise.resolve(read.push(saw.project)),
  } as unknown as Conductor;
  const watch = watchProject(
    conductor,
    {root, now: Date.now, log: () => undefined},
    watching.signal,
    print,
  );
  await eventually('it is read', () => read.length > 0);
  watching.abort();
  await watch;
  assert.deepEqual(
    read[0]?.services.map(({name}) => name),
    ['web'],
  );
});
