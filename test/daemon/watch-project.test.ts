import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {createPlace} from './support/place.ts';

test('what is written into the project file holds at once; a file that cannot be read changes nothing', async (t) => {
  const place = createPlace(t);
  const services = (): readonly string[] => (place.json('services') as {readonly services: readonly {readonly spec: {readonly name: string}}[]}).services.map(({spec}) => spec.name);
  const write = (text: string): void => {
    mkdirSync(path.join(place.root, '.orchestra'), {recursive: true});
    writeFileSync(path.join(place.root, '.orchestra', 'project.yaml'), text);
  };
  const read = (): number => place.events().filter(({type}) => type === 'project-read').length;
  assert.deepEqual(services(), []);

  write('services:\n  web: sleep 100\n');
  await eventually('the service is known', () => services().join() === 'web');
  write('services: [\n');
  const before = read();
  await eventually('it was looked at', () => readFileSync(path.join(place.here().stateDirectory, 'daemon.log'), 'utf8').includes('project.yaml:'));
  assert.deepEqual([services(), read()], [['web'], before]);

  write('services:\n  web: sleep 100\n  mail: sleep 100\n');
  await eventually('the other one is known as well', () => services().toSorted().join() === 'mail,web');
});
