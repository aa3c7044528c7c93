import assert from 'node:assert/strict';
import path from 'node:path';
import {copyFileSync} from 'node:fs';
import {describe, test, type TestContext} from 'node:test';
import {readBlocked} from '../../source/system/index.ts';
import {isAlive, kernel, processAt, takeSample} from '../system/support/own-kernel.ts';
import {people, type Person} from '../sandbox/support/people.ts';
import {type Seat, sitAt} from '../sandbox/support/seat.ts';
import {eventually} from '../support/eventually.ts';
import {needs} from '../support/needs.ts';
import {confine, type Confined, type Confinement} from './confined.ts';
import {webServer} from './support.ts';

/**
 * A program in a sandbox with listed hosts, on a terminal of its own, as a keeper would have it.
 */
function sit(
  t: TestContext,
  person: Person,
  argv: readonly string[],
  confinement: Confinement = {allow: []},
): Seat & {readonly confined: Confined} {
  const confined = confine(t, person, confinement);
  return {confined, ...sitAt(t, confined.argv(argv), confined.env)};
}

for (const person of people) {
  describe(`as ${person.name}, under a supervisor`, needs('bubblewrap'), () => {
    test('a program has its terminal, and hears of a new size', async (t) => {
      const seat = sit(t, person, [
        '/bin/bash',
        '--norc',
        '-c',
        String.raw`trap 'stty size > /dev/tty' WINCH; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo "$(tty) $(stty size)"; echo __READY__; while :; do sleep 600 & wait; done`,
      ]);
      await seat.shows('__READY__');
      assert.match(seat.screen(), /^\/dev\/console 24 80\r\n/);
      seat.resize(120, 40);
      await seat.shows('40 120');
    });

    test('job control works: stop, foreground, interrupt, and the code at the end', async (t) => {
      const seat = sit(t, person, ['/bin/bash', '--norc', '--noprofile', '-i']);
      await seat.shows('$ ');
      seat.type('sleep 600\r');
      const isForeground = async (): Promise<boolean> => {
        const root = await processAt(seat.pid);
        return (
          root !== undefined &&
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

    test('a Ctrl-C that the program lives through ends nothing else, and one that it does not expect ends it', async (t) => {
      const seat = sit(t, person, [
        '/bin/sh',
        '-c',
        'trap "echo caught" INT; echo __READY__; read -r line; trap - INT; echo "again $line"; exec sleep 600',
      ]);
      await seat.shows('__READY__');
      seat.type('\u{3}');
      await seat.shows('caught');
      seat.type('on\r');
      await seat.shows('again');
      await eventually('sleep runs', async () => (await seat.members()).includes('sleep'));
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
          'trap "exit 9" TERM; echo __READY__; while :; do read -r line; done',
        ]);
        await seat.shows('__READY__');
        seat.signal(name);
        assert.deepEqual(await eventually('it is over', seat.exit), {exitCode, signal: 0});
      });
    }

    test('exit codes pass through, and a program that is not there is 127', async (t) => {
      const confined = confine(t, person, {allow: []});
      for (const [script, code] of [
        ['exit 0', 0],
        ['exit 137', 137],
        ['kill -9 $$', 137],
        ['kill -SEGV $$', 139],
      ] as const) {
        const ended = await confined.sh(script);
        assert.deepEqual([script, ended.code, ended.signal], [script, code, null]);
      }

      assert.equal((await confined.run(['/no/such/program'])).code, 127);
      assert.equal((await confined.run(['/etc/passwd'])).code, 126);
      const terms = ['a b', '', '--', '-x', '"', '$HOME', 'a=b', '\n'];
      assert.equal(
        (await confined.run(['/usr/bin/printf', '%s|', ...terms])).stdout,
        `${terms.join('|')}|`,
      );
    });

    test('only the supervisor and bubblewrap stay beside the program, and a read of the terminal is proven', async (t) => {
      const seat = sit(t, person, [
        '/bin/sh',
        '-c',
        'printf "Which port? "; read -r line; echo "got $line"',
      ]);
      await seat.shows('Which port? ');
      const root = (await processAt(seat.pid))!;
      const blocked = await eventually('it is proven to wait', async () => {
        const answer = await readBlocked({root: root.identity, sample: await takeSample()}, kernel);
        return answer.proof === 'proven' && answer;
      });
      assert.equal(blocked.verdict, 'blocked');
      const names = await seat.members();
      assert.deepEqual(
        [
          names.filter((name) => !['bwrap', 'sh'].includes(name)).length,
          names.includes('bwrap'),
          names.includes('sh'),
        ],
        [1, true, true],
        names.join(' '),
      );
      seat.type('80\r');
      assert.deepEqual(await eventually('it is over', seat.exit), {exitCode: 0, signal: 0});
    });

    test('who kills the supervisor ends the program, and nothing is left', async (t) => {
      const seat = sit(t, person, ['/bin/sh', '-c', 'echo __READY__; exec sleep 600']);
      await seat.shows('__READY__');
      seat.signal('SIGKILL', 'program');
      assert.equal((await eventually('it is over', seat.exit)).signal, 9);
      await eventually(
        'nobody is left',
        async () =>
          !(await takeSample()).processes.some(
            (process) => process.session === seat.pid && isAlive(process),
          ),
      );
    });

    test('a signal that opens a debugger in other programs opens none', async (t) => {
      const seat = sit(t, person, [
        '/bin/sh',
        '-c',
        'echo __READY__; read -r line; echo "got $line"',
      ]);
      await seat.shows('__READY__');
      seat.signal('SIGUSR1', 'program');
      seat.type('on\r');
      await seat.shows('got on');
      assert.doesNotMatch(seat.screen(), /Debugger|inspector/);
    });

    test('what is refused is shown as one line, once for each host, and kept for the daemon', async (t) => {
      const web = await webServer(t, 'web');
      const ask = (host: string): string =>
        `$REACH tcp 127.0.0.1 61080 "CONNECT ${host} HTTP/1.1\\r\\n\\r\\n" > /dev/null`;
      const seat = sit(
        t,
        person,
        [
          '/bin/bash',
          '-c',
          `${ask('evil.example:443')}; ${ask('evil.example:443')}; ${ask(`127.0.0.1:${web.port}`)}; ${ask('x.example:22')}; echo __DONE__`,
        ],
        {allow: [`127.0.0.1:${web.port}`], shows: true},
      );
      await eventually('it is over', seat.exit);
      assert.deepEqual(
        seat
          .screen()
          .split(/[\r\n]+/)
          .filter((line) => line.startsWith('orchestra:')),
        [
          'orchestra: the network refused evil.example:443: it is not among the hosts in sandbox.network of .orchestra/project.yaml.',
          'orchestra: the network refused x.example:22: it is not among the hosts in sandbox.network of .orchestra/project.yaml.',
        ],
      );
      assert.deepEqual(seat.confined.rejected(), [
        {host: 'evil.example', port: 443, why: 'not-listed', times: 2},
        {host: 'x.example', port: 22, why: 'not-listed', times: 1},
      ]);
    });

    test('what is refused without end is bounded, and a screen of its own is left alone', async (t) => {
      const confined = confine(t, person, {allow: []});
      copyFileSync(
        path.join(import.meta.dirname, 'programs', 'flood.mjs'),
        path.join(confined.fixture.own, 'flood.mjs'),
      );
      assert.equal((await confined.sh('$NODE flood.mjs 120')).code, 0);
      const rejected = confined.rejected();
      assert.equal(rejected.length, 50);
      assert.deepEqual(rejected.at(-1), {host: '*', port: 0, why: 'too-many', times: 71});
    });

    test('programs inside are told of the proxy, and of nothing else', async (t) => {
      const {stdout} = await confine(t, person, {allow: []}).sh(
        'env | grep -iE "proxy|node_channel" | LC_ALL=C sort',
      );
      assert.match(
        stdout,
        /^ALL_PROXY=http:\/\/127\.0\.0\.1:61080\nHTTPS_PROXY=.*\nHTTP_PROXY=.*\nNODE_USE_ENV_PROXY=1\nNO_PROXY=localhost,127\.0\.0\.1,::1,\[::1\]\n/,
      );
      assert.doesNotMatch(stdout, /NODE_CHANNEL/);
      assert.equal((await confine(t, person, {}).sh('env | grep -i proxy')).stdout, '');
    });

    test("Node's own fetch goes through the proxy, to listed hosts only", async (t) => {
      const web = await webServer(t, 'web');
      const confined = confine(t, person, {allow: [`127.0.0.1:${web.port}`]});
      const {stdout} = await confined.sh(
        `$NODE -e 'const get = (u) => fetch(u).then((r) => r.text(), (e) => "failed " + e.cause?.message); get("http://127.0.0.1:${web.port}/x").then(async (t) => console.log(t, await get("http://evil.example/")))'`,
      );
      assert.match(stdout, /web says \/x/);
      assert.match(stdout, /the network refused evil\.example:80|failed/);
      assert.equal(web.asked.length, 1);
      assert.deepEqual(
        confined.rejected().map(({host}) => host),
        ['evil.example'],
      );
    });
  });
}
