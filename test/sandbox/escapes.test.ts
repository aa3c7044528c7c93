import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {createServer} from 'node:net';
import {describe, test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {bubblewrap, needs} from '../support/needs.ts';
import {people} from './support/people.ts';
import {createFixture} from './support/fixture.ts';

/** PTRACE_ATTACH, by the number that the system call has on this machine. */
const trace = `perl -e 'syscall(${process.arch === 'x64' ? 101 : 117}, 16, $ARGV[0] + 0, 0, 0) == 0 ? print "attached" : print STDERR "$!"'`;

/** As the host counts: the process inside that everything else there comes of. */
function getLastDescendant(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  return child === undefined ? pid : getLastDescendant(Number(child));
}

/** Everybody who works in a directory, by what the kernel says of them. */
function processesIn(directory: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    });
}

for (const person of people) {
  describe(`as ${person.name}`, needs('bubblewrap'), () => {
    for (const [how, script] of [
      ['mounts the file system again', 'mount -o remount,rw,bind /'],
      ['mounts over it', 'mount -t tmpfs none "$MAIN"'],
      ['takes a mount away', 'umount "$STATE" || umount -l "$STATE"'],
      [
        'makes namespaces and mounts there',
        'unshare -Urm sh -c \'mount -o remount,rw,bind "$MAIN"; mount -o remount,rw,bind /; umount "$STATE"; umount -R /; cat "$STATE/token" "$MAIN/planted"; echo x > "$MAIN/planted"\'',
      ],
      [
        'makes namespaces with those of processes',
        'unshare -Urmpf --mount-proc sh -c \'mount -o remount,rw,bind /; umount "$STATE"; cat "$STATE/token"; echo x > "$MAIN/planted"\'',
      ],
      [
        'enters the namespaces of a process outside',
        'nsenter -t "$OUTSIDE" -m -- sh -c "echo x > $MAIN/planted; cat $STATE/token"; nsenter -t "$OUTSIDE" -U -m -- cat "$STATE/token"',
      ],
      [
        'goes through the root of a process outside',
        'echo x > "/proc/$OUTSIDE/root$MAIN/planted"; cat "/proc/$OUTSIDE/root$STATE/token"',
      ],
      ['goes through the directory of a process outside', 'echo x > "/proc/$OUTSIDE/cwd/planted"'],
      ['goes through an open file of a process outside', 'cat "/proc/$OUTSIDE/fd/0"'],
      ['reads the environment of a process outside', 'cat "/proc/$OUTSIDE/environ"'],
      [
        'reads the memory of a process outside',
        'head -c 1 "/proc/$OUTSIDE/mem"; cat "/proc/$OUTSIDE/maps" "/proc/$OUTSIDE/auxv"',
      ],
      ['traces a process outside', `${trace} "$OUTSIDE"`],
      [
        'goes through the bubblewrap that started it',
        'cat "/proc/$PPID/root$STATE/token"; echo x > "/proc/$PPID/root$MAIN/planted"; nsenter -t "$PPID" -m -- cat "$STATE/token"',
      ],
      ['ends processes outside', 'kill -9 "$OUTSIDE"; kill -0 "$OUTSIDE"'],
      [
        'makes the kernel run a program',
        'echo "|/bin/sh" > /proc/sys/kernel/core_pattern; echo /bin/sh > /proc/sys/kernel/modprobe',
      ],
      ['changes its root', 'chroot /proc/1/root true; chroot / sh -c "echo x > $MAIN/planted"'],
      ['makes a disk of its own', 'cd "$TMPDIR" && mknod disk b 254 0 && head -c 1 disk'],
      [
        'goes to the disk',
        'for disk in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmem; do head -c 1 $disk; done',
      ],
      [
        'becomes somebody else',
        'su -c "echo x > $MAIN/planted"; sudo -n true; setpriv --reuid=0 --clear-groups true; setpriv --bounding-set +all true',
      ],
      [
        'links to what it may not write',
        'ln "$MAIN/file.txt" "$TMPDIR/linked" && echo x >> "$TMPDIR/linked"; ln "$STATE/token" "$TMPDIR/token" && cat "$TMPDIR/token"',
      ],
    ] as const) {
      test(`nothing comes of it when an agent ${how}`, async (t) => {
        const fixture = createFixture(t, person);
        const outside = spawn(
          person.as[0] ?? '/bin/sleep',
          [...person.as.slice(1), ...(person.as.length === 0 ? [] : ['/bin/sleep']), '600'],
          {
            cwd: fixture.main,
            env: {TOKEN: 'the-secret-token'},
            stdio: ['pipe', 'ignore', 'ignore'],
          },
        );
        t.after(async () => {
          outside.kill('SIGKILL');
          await once(outside, 'exit');
        });
        const ended = await fixture.sh(
          `MAIN=${fixture.main} STATE=${fixture.state} OUTSIDE=${outside.pid!}; export MAIN STATE; ${script}`,
        );
        assert.equal(ended.stdout, '');
        assert.notEqual(ended.stderr, '', 'the attempt was made, and refused');
        assert.equal(existsSync(path.join(fixture.main, 'planted')), false);
        assert.deepEqual(
          [outside.exitCode, outside.signalCode],
          [null, null],
          'nobody outside was ended',
        );
        assert.equal(readFileSync(path.join(fixture.main, 'file.txt'), 'utf8'), 'first\n');
        assert.doesNotMatch(readFileSync('/proc/sys/kernel/core_pattern', 'utf8'), /bin\/sh/);
      });
    }

    test("one sandbox does not reach into another, though both are the same user's", async (t) => {
      const fixture = createFixture(t, person);
      const [file = '', ...argv] = fixture.argv([
        '/bin/sh',
        '-c',
        'echo $$ > pid.new; mv pid.new pid; exec sleep 600',
      ]);
      const other = spawn(file, argv, {
        env: {PATH: '/usr/bin:/bin', TOKEN: 'the-secret-token'},
        stdio: 'ignore',
        detached: true,
      });
      t.after(async () => {
        process.kill(-other.pid!, 'SIGKILL');
        await once(other, 'exit');
      });
      await eventually('the other one runs', () => existsSync(path.join(fixture.own, 'pid')));
      const pid = getLastDescendant(other.pid!);
      const ended = await fixture.sh(
        `cat /proc/${pid}/environ; ls /proc/${pid}/root/; readlink /proc/${pid}/fd/1; echo x > /proc/${pid}/fd/1 && echo written; ${trace} ${pid}; nsenter -t ${pid} -U -m true && echo in; kill -0 ${pid} && echo seen; ps -e -o comm= | grep -c '^sleep$'`,
      );
      assert.equal(ended.stdout, '0\n');
    });

    for (const [how, script] of [
      ['in a session of its own', 'setsid sleep 600 & echo started'],
      ['without its mark', 'env -i setsid sh -c "sleep 600 & sleep 600" & echo started'],
      [
        'as an orphan with another mark',
        '(ORCH_SESSION=told setsid sh -c "(sleep 600 &) &") & echo started',
      ],
      [
        'deaf to every signal',
        'setsid sh -c "trap \'\' HUP INT QUIT TERM; while :; do sleep 1; done" >/dev/null 2>&1 & echo started',
      ],
    ] as const) {
      test(`what a command leaves behind ${how} ends with it`, async (t) => {
        const fixture = createFixture(t, person);
        const ended = await fixture.sh(`cd ${fixture.temp}; exec >out 2>&1 </dev/null; ${script}`);
        assert.equal(ended.code, 0);
        await eventually(
          'nothing of it runs any more',
          () => processesIn(fixture.temp).length === 0,
        );
      });
    }

    test('it has no rights left, and can not get any', async (t) => {
      const fixture = createFixture(t, person);
      const ended = await fixture.sh(
        'grep -E "^(Cap|NoNewPrivs)" /proc/self/status | tr "\\t" " "',
      );
      assert.equal(
        ended.stdout,
        ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'].map((set) => `Cap${set}: 0000000000000000\n`).join('') +
          'NoNewPrivs: 1\n',
      );
    });

    test('a socket that is hidden leads nowhere, though one in a read-only place does', async (t) => {
      const fixture = createFixture(t, person);
      const [hidden, shown] = [
        path.join(fixture.state, 'socket'),
        path.join(fixture.home, 'socket'),
      ];
      let connections = 0;
      for (const file of [hidden, shown]) {
        const server = createServer((socket) => {
          connections += 1;
          socket.end();
        });
        t.after(() => server.close());
        server.listen({path: file, writableAll: true});
        await once(server, 'listening');
      }

      const connect = (file: string): string =>
        `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un("${file}")) ? print "in" : print "$!"'`;
      assert.equal((await fixture.sh(connect(hidden))).stdout, 'No such file or directory');
      assert.equal(
        (await fixture.sh(connect(hidden), {...fixture.worker, hidden: [hidden]})).stdout,
        'Connection refused',
        'a single socket, too',
      );
      assert.equal(connections, 0);
      assert.equal((await fixture.sh(connect(shown))).stdout, 'in');
    });

    test('the network is as it was: a service on this machine can be reached', async (t) => {
      const fixture = createFixture(t, person);
      const server = createServer((socket) => socket.end('served'));
      t.after(() => server.close());
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      const ended = await fixture.run([
        '/bin/bash',
        '-c',
        `cat < /dev/tcp/127.0.0.1/${address.port}`,
      ]);
      assert.equal(ended.stdout, 'served', ended.stderr);
    });

    test(
      person.uid === 0
        ? 'an agent that makes a sandbox of its own can not, as root'
        : 'an agent can make a sandbox of its own inside',
      async (t) => {
        const fixture = createFixture(t, person);
        const ended = await fixture.run([
          bubblewrap(),
          '--unshare-user',
          '--unshare-pid',
          '--ro-bind',
          '/',
          '/',
          '--proc',
          '/proc',
          '--dev',
          '/dev',
          'echo',
          'nested',
        ]);
        assert.equal(ended.stdout, person.uid === 0 ? '' : 'nested\n', ended.stderr);
      },
    );
  });
}
