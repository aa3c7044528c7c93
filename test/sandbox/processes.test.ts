import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {describe, test, type TestContext} from 'node:test';
import {cookieName, readBlocked, readProcessTree} from '../../source/system/index.ts';
import {isAlive, kernel, processAt, takeSample} from '../system/support/own-kernel.ts';
import {eventually} from '../support/eventually.ts';
import {needs} from '../support/needs.ts';
import {people, type Person} from './support/people.ts';
import {createFixture} from './support/fixture.ts';
import {type Seat, sitAt} from './support/seat.ts';

/** A program in the worker's sandbox, on a terminal of its own, as a keeper would have it. */
function sit(t: TestContext, person: Person, argv: readonly string[]): Seat {
  const fixture = createFixture(t, person);
  return sitAt(t, fixture.argv(argv), {PATH: '/usr/bin:/bin', HOME: fixture.home});
}

for (const person of people) {
  describe(`as ${person.name}`, needs('bubblewrap'), () => {
    test('a program has its terminal: size, name, colours, /dev/tty, and hears of a new size', async (t) => {
      const seat = sit(t, person, [
        '/bin/bash',
        '--norc',
        '-c',
        String.raw`trap 'stty size > /dev/tty' WINCH; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo "$(tty) $(stty size) $(tput colors)"; echo __READY__; while :; do sleep 600 & wait; done`,
      ]);
      await seat.shows('__READY__');
      assert.match(seat.screen(), /^\/dev\/console 24 80 256\r\n/);
      seat.resize(120, 40);
      await seat.shows('40 120');
    });

    test('job control works: stop, background, foreground, interrupt', async (t) => {
      const seat = sit(t, person, ['/bin/bash', '--norc', '--noprofile', '-i']);
      await seat.shows('$ ');
      seat.type('sleep 600\r');
      const isForeground = async (): Promise<boolean> => {
        const root = await processAt(seat.pid);
        return (
          root !== undefined &&
          root.foreground !== root.group &&
          (await takeSample()).processes.some(
            ({group, name}) => group === root.foreground && name === 'sleep',
          )
        );
      };

      await eventually('sleep is in the foreground', isForeground);
      seat.type('\u{1A}');
      await seat.shows('Stopped');
      seat.type('fg\r');
      await eventually('sleep is in the foreground again', isForeground);
      seat.type('\u{3}');
      seat.type('echo "after $?"\r');
      await seat.shows('after 130');
      seat.type('exit 7\r');
      assert.deepEqual(await eventually('the shell is over', seat.exit), {exitCode: 7, signal: 0});
    });

    test('a Ctrl-C that the program lives through ends nothing else', async (t) => {
      const seat = sit(t, person, [
        '/bin/sh',
        '-c',
        'trap "echo caught" INT; echo __READY__; while :; do read -r line && echo "got $line"; done',
      ]);
      await seat.shows('__READY__');
      seat.type('\u{3}');
      await seat.shows('caught');
      seat.type('on\r');
      await seat.shows('got on');
      assert.equal(seat.exit(), undefined);
    });

    test('a Ctrl-C that the program does not expect ends it', async (t) => {
      const seat = sit(t, person, ['/bin/sh', '-c', 'echo __READY__; exec sleep 600']);
      await seat.shows('__READY__');
      seat.type('\u{3}');
      assert.deepEqual(await eventually('it is over', seat.exit), {exitCode: 130, signal: 0});
    });

    for (const [name, exitCode] of [
      ['SIGTERM', 9],
      ['SIGHUP', 129],
      ['SIGUSR1', 138],
    ] as const) {
      test(`${name} to the group reaches the program, and its answer comes through`, async (t) => {
        const seat = sit(t, person, [
          '/bin/bash',
          '-c',
          'trap "exit 9" TERM; echo __READY__; while :; do sleep 0.05; done',
        ]);
        await seat.shows('__READY__');
        seat.signal(name);
        assert.deepEqual(await eventually('it is over', seat.exit), {exitCode, signal: 0});
      });
    }

    test('SIGKILL to the group ends all of it', async (t) => {
      const seat = sit(t, person, ['/bin/sh', '-c', 'echo __READY__; sleep 600']);
      await seat.shows('__READY__');
      seat.signal('SIGKILL');
      assert.equal((await eventually('it is over', seat.exit)).signal, 9);
      await eventually(
        'nobody is left',
        async () =>
          !(await takeSample()).processes.some(
            (process) => process.session === seat.pid && isAlive(process),
          ),
      );
    });

    test('exit codes pass through; a program that a signal ended is 128 and the signal, as in a shell', async (t) => {
      const fixture = createFixture(t, person);
      for (const [script, code] of [
        ['exit 0', 0],
        ['exit 1', 1],
        ['exit 137', 137],
        ['exit 255', 255],
        ['kill -9 $$', 137],
        ['kill -SEGV $$', 139],
      ] as const) {
        const ended = await fixture.sh(script);
        assert.deepEqual([script, ended.code, ended.signal], [script, code, null]);
      }

      assert.equal((await fixture.run(['/no/such/program'])).code, 127);
      assert.equal((await fixture.run(['/etc/passwd'])).code, 126);
    });

    test('words with spaces, quotes, dashes and equals signs arrive as they are', async (t) => {
      const fixture = createFixture(t, person);
      const terms = ['a b', '', '--', '-x', '"', '$HOME', 'a=b', '\n'];
      assert.equal(
        (await fixture.run(['/usr/bin/printf', '%s|', ...terms])).stdout,
        `${terms.join('|')}|`,
      );
      await fixture.sh('printf "#!/bin/sh\necho named \\$1\n" > a=b && chmod +x a=b');
      assert.equal((await fixture.run([path.join(fixture.own, 'a=b'), 'x'])).stdout, 'named x\n');
    });

    test('the daemon sees from outside whose the processes are, and proves that one waits for input', async (t) => {
      const seat = sit(t, person, [
        '/bin/sh',
        '-c',
        'printf "Which port? "; read -r line; echo "got $line"; exec sleep 600',
      ]);
      await seat.shows('Which port? ');
      const root = (await processAt(seat.pid))!;
      const blocked = await eventually('it is proven to wait', async () => {
        const answer = await readBlocked({root: root.identity, sample: await takeSample()}, kernel);
        return answer.proof === 'proven' && answer;
      });
      assert.equal(blocked.verdict, 'blocked');
      const reader = (await processAt(blocked.process!.pid))!;
      assert.deepEqual([reader.name, reader.uid], ['sh', person.uid]);
      const tree = await readProcessTree({cookie: seat.cookie}, kernel);
      assert.ok('value' in tree);
      assert.deepEqual(tree.value.members.map(({name, found}) => `${name} ${found}`).sort(), [
        'bwrap cookie',
        'bwrap cookie',
        'sh cookie',
      ]);
      assert.match(
        readFileSync(`/proc/${reader.identity.pid}/environ`, 'utf8'),
        new RegExp(`${cookieName}=${seat.cookie}`),
      );
      seat.type('80\r');
      await seat.shows('got 80');
      await eventually(
        'it no longer waits',
        async () =>
          (await readBlocked({root: root.identity, sample: await takeSample()}, kernel)).verdict ===
          'working',
      );
    });

    test('it ends at once when whoever started it is killed, with all that came of it', async (t) => {
      const fixture = createFixture(t, person);
      const argv = fixture.argv([
        '/bin/sh',
        '-c',
        'setsid sleep 600 & touch started; exec sleep 600',
      ]);
      const starter = spawn('/bin/sh', ['-c', '"$@" & echo started; wait', 'sh', ...argv], {
        env: {PATH: '/usr/bin:/bin', [cookieName]: fixture.own},
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      await eventually('it runs', () => existsSync(path.join(fixture.own, 'started')));
      starter.kill('SIGKILL');
      await once(starter, 'exit');
      await eventually('it is over', async () => {
        const tree = await readProcessTree({cookie: fixture.own}, kernel);
        return 'value' in tree && tree.value.members.length === 0;
      });
    });
  });
}
