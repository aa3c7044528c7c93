import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {createBatchReader} from '../../../source/git/client/hash-objects.ts';
import {makeRepository} from '../support/repository.ts';

test('objects of any content are hashed as git does it, wherever the stream is cut', () => {
  const contents = [
    Buffer.from(''),
    Buffer.from('\n'),
    Buffer.from('a missing\nb blob 3\n'),
    Buffer.from([0, 255, 10, 13, 128]),
    Buffer.from('x'.repeat(300)),
  ];
  const getId = (content: Buffer): string =>
    createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const stream = Buffer.concat([
    ...contents.flatMap((content) => [
      Buffer.from(`${getId(content)} blob ${content.length}\n`),
      content,
      Buffer.from('\n'),
    ]),
    Buffer.from(`${'0'.repeat(40)} missing\n`),
  ]);
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = createBatchReader();
    reader.read(stream.subarray(0, cut));
    reader.read(stream.subarray(cut));
    assert.deepEqual(reader.names, [...contents.map(getId), undefined], `cut at ${cut}`);
  }
});

test('real objects, in packs and loose, and one that is not there', async (t) => {
  const repository = makeRepository({'a.txt': 'a\n', 'b.bin': 'b'});
  t.after(repository.remove);
  repository.git('gc', '--quiet');
  repository.write('c.txt', 'loose\n');
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'second');
  const ids = repository
    .git('rev-list', '--objects', '--no-object-names', 'HEAD')
    .trim()
    .split('\n');
  const asked = [...ids, 'f'.repeat(40)];
  assert.deepEqual(
    await repository.workspace.hashObjects(repository.workspace.commonDirectory, asked),
    [...ids, undefined],
  );
  assert.deepEqual(
    await repository.workspace.hashObjects(repository.workspace.commonDirectory, []),
    [],
  );
});
