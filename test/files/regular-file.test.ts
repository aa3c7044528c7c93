import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {describe, test} from 'node:test';
import {bytesOrThrow, readRegularFile, tryReadText} from '../../source/files/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';
import {people} from '../sandbox/support/people.ts';
import {hostileFiles, replaceParent, secretText} from '../support/hostile-files.ts';
import {needs} from '../support/needs.ts';

const maxBytes = 1024 * 1024;
const getWhy = (file: string, options = {}): string => {
  const reading = readRegularFile(file, {maxBytes, ...options});
  return reading.at === 'read'
    ? `read: ${reading.bytes.toString('utf8').slice(0, 100)}`
    : reading.why;
};

test('a regular file is read as it is, with its mode', (t) => {
  const directory = temporaryDirectory(t);
  const file = path.join(directory, 'file');
  for (const content of [Buffer.alloc(0), Buffer.from('text ü'), Buffer.alloc(maxBytes, 7)]) {
    writeFileSync(file, content);
    chmodSync(file, 0o640);
    for (const options of [{}, {below: directory}]) {
      const reading = readRegularFile(file, {maxBytes, ...options});
      assert.deepEqual(reading, {at: 'read', bytes: content, mode: 0o640});
    }
  }

  assert.equal(tryReadText(file, {maxBytes}), '\u0007'.repeat(maxBytes));
  assert.equal(tryReadText(`${file}-2`, {maxBytes}), undefined);
});

describe('what is no regular file is refused at once, without memory and with a reason:', () => {
  const reasons: Readonly<Record<string, string>> = {
    'a pipe': 'not-regular',
    'a link to /dev/zero': 'link',
    'a link to a terminal': 'link',
    'a link to a secret outside': 'link',
    'a link to itself': 'link',
    'a link to nothing': 'link',
    'a directory': 'not-regular',
    'a socket': 'not-regular',
    'a sparse file of 2 GB': 'too-large',
    'a file that may not be read': 'unreadable',
  };

  for (const person of people) {
    test(`as ${person.name}`, async (t) => {
      const root = temporaryDirectory(t);
      chmodSync(root, 0o755);
      const [inside, outside] = [path.join(root, 'inside'), path.join(root, 'outside')];
      for (const directory of [inside, outside]) mkdirSync(directory);
      for (const [index, hostile] of hostileFiles.entries())
        await hostile.make(path.join(inside, `file-${index}`), {t, outside});
      mkdirSync(path.join(inside, 'parent'));
      replaceParent(path.join(inside, 'parent', 'file'), outside);
      // A directory that may be passed through and not listed does not keep anybody from a file in
      // it.
      mkdirSync(path.join(inside, 'passage'));
      writeFileSync(path.join(inside, 'passage', 'file'), 'behind');
      person.own(inside);
      chmodSync(path.join(inside, 'passage'), 0o311);
      const files = [
        ...hostileFiles.map((_, index) => path.join(inside, `file-${index}`)),
        path.join(inside, 'parent', 'file'),
        path.join(inside, 'passage', 'file'),
      ];
      const [program = '', ...argv] = [
        ...person.as,
        process.execPath,
        '--import',
        'tsx',
        path.join(import.meta.dirname, 'support', 'try-files.ts'),
        inside,
        ...files,
      ];
      const {answers, rss} = JSON.parse(
        execFileSync(program, argv, {
          cwd: path.join(import.meta.dirname, '..', '..'),
          encoding: 'utf8',
          timeout: 60_000,
        }),
      ) as {answers: {reading: string; text: string; listing: string}[]; rss: number};
      const expected = [
        ...hostileFiles.map(({name, isReadableByRoot}) =>
          isReadableByRoot && person.uid === 0 ? 'read' : reasons[name],
        ),
        'link',
        'read',
      ];
      assert.deepEqual(
        answers.map(({reading}) => reading),
        expected,
      );
      assert.ok(
        answers.every(({text}) => !text.includes(secretText)),
        'nothing outside is read',
      );
      assert.deepEqual(
        answers.filter(({listing}) => listing === 'read').length,
        1,
        'only the directory is listed',
      );
      assert.ok(rss < 400 * 1024 * 1024, `memory stays small, but it is ${rss}`);
    });
  }
});

test('a device and a pipe with a writer are not even opened', async (t) => {
  const directory = temporaryDirectory(t);
  assert.equal(getWhy('/dev/zero'), 'not-regular');
  assert.equal(getWhy('/dev/null', {links: 'follow'}), 'not-regular');
  const pipe = path.join(directory, 'pipe');
  execFileSync('/usr/bin/mkfifo', [pipe]);
  // The shell waits in its open until somebody opens the other end.
  const writer = spawn('/bin/sh', ['-c', 'echo ready; echo text > "$0"; echo done', pipe], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => writer.kill('SIGKILL'));
  let output = '';
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(writer.stdout, 'data');
  for (let count = 0; count < 50; count++)
    assert.equal(getWhy(pipe, {below: directory}), 'not-regular');
  const other = openSync(pipe, 'r');
  await once(writer, 'exit');
  closeSync(other);
  assert.equal(output, 'ready\ndone\n');
});

test('a file that grows while it is read is not read beyond the limit', (t) => {
  // The kernel says that this one is empty, and gives more than that.
  assert.equal(getWhy('/proc/kallsyms', {maxBytes: 100}), 'too-large');
  const whole = readRegularFile('/proc/self/status', {maxBytes});
  assert.ok(
    whole.at === 'read' && whole.bytes.toString().includes('VmRSS'),
    'what fits is read to its end',
  );
  const file = path.join(temporaryDirectory(t), 'file');
  writeFileSync(file, 'x'.repeat(100));
  assert.equal(getWhy(file, {maxBytes: 99}), 'too-large');
  assert.match(getWhy(file, {maxBytes: 100}), /^read/);
  appendFileSync(file, 'x');
  assert.equal(getWhy(file, {maxBytes: 100}), 'too-large');
});

test('whoever holds a lease on a file keeps nobody waiting', needs('python3'), async (t) => {
  const file = path.join(temporaryDirectory(t), 'file');
  writeFileSync(file, 'text');
  const holder = spawn(
    'python3',
    [
      '-c',
      'import fcntl,os,sys,signal\nsignal.signal(signal.SIGIO, signal.SIG_IGN)\nf=os.open(sys.argv[1],os.O_RDWR)\nfcntl.fcntl(f,fcntl.F_SETLEASE,fcntl.F_WRLCK)\nprint("held",flush=True)\nsys.stdin.read()',
      file,
    ],
    {stdio: ['pipe', 'pipe', 'inherit']},
  );
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const start = performance.now();
  assert.equal(getWhy(file), 'unreadable');
  assert.ok(
    performance.now() - start < 20_000,
    'the kernel lets an ordinary open wait for 45 seconds',
  );
});

describe('links', () => {
  test("below a trusted directory no part of the path may be one; above it they are the person's own", (t) => {
    const root = temporaryDirectory(t);
    mkdirSync(path.join(root, 'real', 'a', 'b'), {recursive: true});
    writeFileSync(path.join(root, 'real', 'a', 'b', 'file'), 'text');
    symlinkSync('real', path.join(root, 'linked'));
    assert.equal(
      getWhy(path.join(root, 'linked', 'a', 'b', 'file'), {below: path.join(root, 'linked')}),
      'read: text',
    );
    assert.equal(getWhy(path.join(root, 'linked', 'a', 'b', 'file'), {below: root}), 'link');
    symlinkSync('a', path.join(root, 'real', 'c'));
    assert.equal(
      getWhy(path.join(root, 'real', 'c', 'b', 'file'), {below: path.join(root, 'real')}),
      'link',
    );
    assert.equal(
      getWhy(path.join(root, 'real', 'a', '..', '..', 'elsewhere'), {
        below: path.join(root, 'real'),
      }),
      'link',
      'a path that leads out by itself is not read either',
    );
    assert.equal(
      getWhy(path.join(root, 'real', 'a', 'none', 'file'), {below: path.join(root, 'real')}),
      'missing',
    );
  });

  test('inside: one that stays inside is followed, one that leaves is not, also by a directory', (t) => {
    const root = temporaryDirectory(t);
    const [below, outside] = [path.join(root, 'in'), path.join(root, 'out')];
    for (const directory of [below, outside, path.join(below, 'sub')]) mkdirSync(directory);
    writeFileSync(path.join(below, 'sub', 'file'), 'inner');
    writeFileSync(path.join(outside, 'file'), secretText);
    symlinkSync('sub/file', path.join(below, 'good'));
    symlinkSync('sub', path.join(below, 'directory'));
    symlinkSync('../out/file', path.join(below, 'bad'));
    symlinkSync('../out', path.join(below, 'away'));
    symlinkSync('/dev/zero', path.join(below, 'zero'));
    symlinkSync('circle', path.join(below, 'circle'));
    const read = (name: string): string => getWhy(path.join(below, name), {below, links: 'inside'});
    assert.deepEqual(['good', 'directory/file', 'bad', 'away/file', 'zero', 'circle'].map(read), [
      'read: inner',
      'read: inner',
      'link',
      'link',
      'link',
      'link',
    ]);
  });

  test('a directory that is exchanged for a link again and again never gives what is outside', async (t) => {
    const root = temporaryDirectory(t);
    const [below, outside] = [path.join(root, 'in'), path.join(root, 'out')];
    for (const directory of [below, outside, path.join(below, 'place')]) mkdirSync(directory);
    writeFileSync(path.join(below, 'place', 'file'), 'inner');
    writeFileSync(path.join(outside, 'file'), secretText);
    symlinkSync(outside, path.join(below, 'link'));
    const script =
      'const fs=require("fs");console.log("on");for(;;){fs.renameSync("place","aside");fs.renameSync("link","place");fs.renameSync("place","link");fs.renameSync("aside","place")}';
    const seen = new Map<string, number>();
    await whileRuns(script, below, () => {
      for (let count = 0; count < 20_000; count++) {
        const answer = getWhy(path.join(below, 'place', 'file'), {below});
        seen.set(answer, (seen.get(answer) ?? 0) + 1);
      }
    });

    assert.deepEqual(
      [...seen.keys()].filter((answer) => !['read: inner', 'link', 'missing'].includes(answer)),
      [],
    );
    assert.ok((seen.get('read: inner') ?? 0) > 0, JSON.stringify([...seen]));
  });
});

test('a file that is replaced whole meanwhile is read as the one or the other', async (t) => {
  const directory = temporaryDirectory(t);
  const file = path.join(directory, 'file');
  writeFileSync(file, 'a'.repeat(5000));
  const script =
    'const fs=require("fs");console.log("on");for(let n=0;;n++){fs.writeFileSync("new",(n%2?"a":"b").repeat(5000));fs.renameSync("new","file")}';
  await whileRuns(script, directory, () => {
    for (let count = 0; count < 5000; count++) {
      const text = tryReadText(file, {maxBytes, below: directory}) ?? '';
      assert.ok(
        /^(?:a{5000}|b{5000})$/.test(text),
        `a part, or nothing: ${text.length} characters`,
      );
    }
  });
});

/** Another process is at work in the directory meanwhile, and has ended afterwards. */
async function whileRuns(script: string, cwd: string, act: () => void): Promise<void> {
  const other = spawn(process.execPath, ['-e', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(other, 'exit');
  try {
    await once(other.stdout, 'data');
    act();
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
}

test('nothing that is refused is left open', async (t) => {
  const root = temporaryDirectory(t);
  const outside = path.join(root, 'outside');
  mkdirSync(outside);
  for (const [index, hostile] of hostileFiles.entries())
    await hostile.make(path.join(root, `file-${index}`), {t, outside});
  const before = readdirSync('/proc/self/fd').length;
  for (let count = 0; count < 20; count++)
    for (let index = 0; index < hostileFiles.length; index++)
      getWhy(path.join(root, `file-${index}`), {below: root});
  assert.equal(readdirSync('/proc/self/fd').length, before);
});

test('a refusal says what it is, for whoever shows it', (t) => {
  const directory = temporaryDirectory(t);
  const file = path.join(directory, 'file');
  const text = (options = {}): string => {
    try {
      bytesOrThrow('the file', readRegularFile(file, {maxBytes, ...options}));
      return 'read';
    } catch (error) {
      return (error as Error).message;
    }
  };

  assert.equal(text(), 'the file is not there');
  execFileSync('/usr/bin/mkfifo', [file]);
  assert.equal(text(), 'the file is not a regular file: it is a pipe');
  renameSync(file, `${file}-2`);
  symlinkSync('nowhere', file);
  assert.equal(
    text({below: directory}),
    'the file is a link, and links are not followed here. Put the file itself there',
  );
  assert.ok(existsSync(`${file}-2`));
  writeFileSync(`${file}-3`, '');
  truncateSync(`${file}-3`, maxBytes + 1);
  renameSync(`${file}-3`, file);
  assert.equal(text(), 'the file is larger than 1 MiB, the limit');
});
