import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {describe, test} from 'node:test';
import {temporaryDirectory} from '../system/fixtures.ts';
import {people} from '../sandbox/support/people.ts';
import {eventually} from '../support/eventually.ts';
import {hostileFiles, replaceParent, secretText} from '../support/hostile-files.ts';
import {createFixture} from '../e2e/loop/support/loop-fixture.ts';
import {layOut, readers} from './support/try-readers.ts';

type Notified = {
  readonly answers: readonly {readonly root: string; readonly text: string; readonly ms: number}[];
  readonly rss: number;
};

describe('whatever stands where a file is read, it is answered at once and nothing outside is told:', () => {
  for (const person of people) {
    test(`as ${person.name}`, async (t) => {
      const base = temporaryDirectory(t);
      chmodSync(base, 0o755);
      const outside = path.join(base, 'outside');
      mkdirSync(outside);
      const roots: string[] = [];
      for (const name of Object.keys(readers)) {
        for (const [index, hostile] of hostileFiles.entries()) {
          roots.push(path.join(base, `${name}@${index}`));
          await hostile.make(layOut(roots.at(-1) ?? '', name), {t, outside});
        }

        // Of what lies in a directory of its own; the root itself is not the agent's to exchange.
        if (!(readers[name]?.file ?? '').includes('/')) continue;
        roots.push(path.join(base, `${name}@parent`));
        replaceParent(layOut(roots.at(-1) ?? '', name), outside);
      }

      for (const root of roots) person.own(root);
      const [program = '', ...argv] = [
        ...person.as,
        process.execPath,
        '--import',
        'tsx',
        path.join(import.meta.dirname, 'support', 'try-readers.ts'),
        ...roots,
      ];
      const {answers, rss} = JSON.parse(
        execFileSync(program, argv, {
          cwd: path.join(import.meta.dirname, '..', '..'),
          encoding: 'utf8',
          timeout: 120_000,
          env: {PATH: process.env['PATH'], HOME: base},
        }),
      ) as Notified;
      assert.equal(answers.length, roots.length);
      for (const {root, text, ms} of answers) {
        const [name = '', how = ''] = path.basename(root).split('@');
        assert.ok(ms < 20_000, `${name}, ${how}: took ${ms} ms`);
        if (readers[name]?.follows !== true && !(how === 'parent' && readsByName.has(name)))
          assert.ok(!text.includes(secretText), `${name}, ${how}: ${text}`);
        assert.doesNotMatch(text, /TypeError|undefined is not|ERR_/, `${name}, ${how}`);
      }

      assert.ok(rss < 600 * 1024 * 1024, `memory stays small, but it is ${rss}`);
    });
  }
});

/**
 * These run inside of the agent's own session, or are told the file by name: whose directory it is,
 * is not theirs to know.
 */
const readsByName = new Set([
  'prompt',
  'grant',
  'repository of a worktree',
  'worktree of a playbook',
]);

test('the rules file and the project file say what is wrong with them, and links inside of the checkout are followed', async (t) => {
  const base = temporaryDirectory(t);
  const outside = path.join(base, 'outside');
  mkdirSync(outside);
  const output = async (name: string): Promise<string[]> => {
    const texts: string[] = [];
    for (const hostile of hostileFiles.filter(({isReadableByRoot}) => !isReadableByRoot)) {
      const root = path.join(base, name);
      await hostile.make(layOut(root, name), {t, outside});
      try {
        texts.push(JSON.stringify(readers[name]?.read(root, '')));
      } catch (error) {
        texts.push((error as Error).message);
      }

      rmSync(root, {recursive: true});
    }

    return texts;
  };
  // One that leads to nothing is as good as none.
  const expected = [
    /is not a regular file: it is a pipe/,
    /is a link that leads out/,
    /is a link that leads out/,
    /is a link that leads out/,
    /cycle of links/,
    /./,
    /it is a directory/,
    /it is a socket/,
    /larger than 16 MiB/,
  ];
  for (const name of ['rules', 'project', 'project in the app']) {
    const texts = await output(name);
    assert.equal(texts.length, expected.length);
    for (const [index, text] of texts.entries())
      assert.match(text, expected[index] ?? /$^/, `${name}, ${hostileFiles[index]?.name ?? ''}`);
  }
});

/** In the exchange directory of the session; the shell plants what the agent would. */
const plants: Readonly<Record<string, string>> = {
  t1: 'mkfifo "$f"',
  t2: 'ln -s /dev/zero "$f"',
  t3: 'ln -s "$HOME/secret" "$f"',
  t4: 'mkdir "$f"',
  t5: 'truncate -s 2G "$f"',
  t6: 'ln -s "$f" "$f"',
};

test('a daemon whose agents leave pipes, links and giants answers all the time, says so, and goes on', async (t) => {
  const act = (script: string): string => `if ! grep -qi repair "$1"; then
d=$(dirname "$ORCHESTRA_TOOLS"); for f in "$d/outcome.json" "$d/context.json" "$d/stream.jsonl"; do rm -rf "$f"; ${script}; done
fi
echo done > "\${ORCHESTRA_OWNER##*.}.txt"; exit 0`;
  const fixture = createFixture(t, {
    tasks: Object.keys(plants).map((id) => ({id})),
    acts: Object.fromEntries(Object.entries(plants).map(([id, script]) => [id, act(script)])),
  });
  const pid = await eventually('a daemon', async () => {
    await fixture.ask({about: 'state'});
    return fixture.daemonPid();
  });
  const before = getRss(pid);
  const run = fixture.objective('--approve');
  const over: {end?: unknown} = {};
  void run.then((end) => {
    over.end = end;
  });
  await eventually(
    'the run is over',
    async () => {
      const start = performance.now();
      await fixture.ask({about: 'state'});
      assert.ok(performance.now() - start < 20_000, 'the daemon answers');
      return over.end;
    },
    240_000,
  );

  const failures = new Map(
    fixture.eventsOf('agent-failed').map(({task, words}) => [task.split('.')[1] ?? '', words]),
  );
  const expected = {
    t1: /is a pipe/,
    t2: /is a link/,
    t3: /is a link/,
    t4: /is a directory/,
    t5: /larger than 1 MiB/,
    t6: /is a link/,
  };
  for (const [task, pattern] of Object.entries(expected)) {
    assert.match(
      failures.get(task) ?? '',
      /^The outcome file of the agent is ignored: outcome\.json /,
      task,
    );
    assert.match(failures.get(task) ?? '', pattern);
  }

  // What older versions kept beside the prompt is asked for again.
  for (const directory of readdirSync(path.join(fixture.current().stateDirectory, 'sessions')))
    rmSync(path.join(fixture.current().stateDirectory, 'sessions', directory, 'context.json'), {
      force: true,
    });
  assert.equal(fixture.run('audit').code, 0);
  assert.equal(fixture.run('status').code, 0);
  assert.equal(await fixture.daemonPid(), pid, 'it is the same daemon');
  assert.ok(
    getRss(pid) - before < 250 * 1024 * 1024,
    `memory: ${before} before, ${getRss(pid)} after`,
  );
});

test('a daemon answers with whatever in place of the project file, also when it starts', async (t) => {
  const fixture = createFixture(t);
  const file = path.join(fixture.root, '.orchestra', 'project.yaml');
  const log = (): string =>
    readFileSync(path.join(fixture.current().stateDirectory, 'daemon.log'), 'utf8');
  await fixture.ask({about: 'state'});
  const known = (await fixture.state()).project;
  for (const hostile of hostileFiles.filter(
    ({name}) =>
      name === 'a pipe' || name === 'a link to /dev/zero' || name === 'a sparse file of 2 GB',
  )) {
    const length = log().length;
    await hostile.make(file, {t, outside: fixture.home});
    await eventually(`${hostile.name} is noticed`, () =>
      /project\.yaml:1: the file is (?:not a regular file|a link|larger)/.test(log().slice(length)),
    );
    assert.deepEqual((await fixture.state()).project, known, 'what was read before holds');
    await fixture.killDaemon('SIGKILL');
    assert.equal(fixture.run('status').code, 0);
  }
});

function getRss(pid: number): number {
  return (
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  );
}
