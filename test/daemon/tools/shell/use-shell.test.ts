import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {selectNeeds} from '../../../../source/domain/index.ts';
import {end, launcher} from '../../support/daemon-fixture.ts';
import {createAgent, type StagedAgent, toText} from '../support/agent.ts';
import {eventually} from '../../../support/eventually.ts';
import {needs} from '../../../support/needs.ts';

const opened = 'The shell was just opened: it has no state of an earlier one.\n';

for (const sandbox of ['off', 'required']) {
  describe(
    `a shell of an agent, sandbox ${sandbox}`,
    sandbox === 'off' ? {} : needs('bubblewrap'),
    () => {
      test('keeps directory, variables and functions from call to call, and tells output and status', async (t) => {
        const agent = await createAgent(t, {project: `sandbox: ${sandbox}\n`});
        const shell = (command: string, more: object = {}): Promise<string> =>
          toText(agent.call('shell', {command, ...more}));
        assert.equal(
          await shell('mkdir -p a/b; cd a/b; X=5; f() { echo "f $1"; }; false'),
          `${opened}[exit 1]`,
        );
        assert.equal(
          await shell('pwd; echo $X\nfor i in 1 2; do\n  f $i\ndone'),
          `${agent.worktree('r1.t1')}/a/b\n5\nf 1\nf 2\n[exit 0]`,
        );
        assert.match(await shell('if then'), /syntax error[^]*\[exit 2\]$/);
        assert.equal(
          await shell("cat <<'END'\nit's \"quoted\" $X \\ `ls`\nEND"),
          'it\'s "quoted" $X \\ `ls`\n[exit 0]',
        );
        assert.equal(
          await shell(
            'printf "\\033[31mred\\033[0m\\n"; printf "50%%\\r100%%\\n"; tput cols >/dev/null; true',
          ),
          'red\n100%\n[exit 0]',
        );
        assert.equal(
          await shell('until [ -e go ]; do sleep 0.1; done; echo late', {timeoutSeconds: 3}),
          '\n[still running. Call again with an empty command to keep waiting, or with "\\u0003" to interrupt it.]',
        );
        assert.match(
          (await agent.call('shell', {command: 'echo no'})).text,
          /^the command before is still running: "until \[ -e go \]; do sleep 0\.1; done; echo late"\./,
        );
        writeFileSync(path.join(agent.worktree('r1.t1'), 'a', 'b', 'go'), '');
        assert.equal(await shell(''), 'late\n[exit 0]');
        await shell('sleep 1000', {timeoutSeconds: 3});
        assert.match(await shell('\u0003'), /\[exit 130\]$/);
        assert.equal(await shell('echo $X'), '5\n[exit 0]', 'what was there before is there still');
        assert.equal(
          await shell('exit 3'),
          '\n[the shell itself ended with exit 3; the next call opens a new one]',
        );
        assert.equal(await shell('echo "[$X]"'), `${opened}[]\n[exit 0]`);
        assert.deepEqual(agent.needs(), [], 'a shell that waits for its next command asks nobody');
        assert.match(agent.run('sessions').out, /shell main of r1\.t1/);
      });

      test('another program is talked to line by line', needs('python3'), async (t) => {
        const agent = await createAgent(t, {project: `sandbox: ${sandbox}\n`});
        const python = (command: string, more: object = {}): Promise<string> =>
          toText(agent.call('shell', {name: 'py', command, ...more}));
        assert.match(await python('x = 20 + 1', {program: 'python3'}), /x = 20 \+ 1/);
        assert.match(
          await python('for i in range(3):\n    print("line", i)\n'),
          /line 0\nline 1\nline 2/,
        );
        assert.match(await python('import time; time.sleep(1); print(x * 2)'), /\n42\n/);
        assert.match(
          await python('import time; time.sleep(60)', {timeoutSeconds: 1}),
          /\[still running\./,
        );
        assert.match(await python('\u0003'), /KeyboardInterrupt/);
        assert.match(await python('print(x)'), /\n21\n/);
        assert.match(
          (await agent.call('shell', {name: 'py', command: 'x', program: 'node'})).text,
          /already runs python3; choose another name/,
        );
        assert.match(
          (await agent.call('shell', {name: 'no', command: 'x', program: 'no-such-program'})).text,
          /ended|could not be opened|No such file/,
        );
        assert.deepEqual(agent.needs(), []);
      });
    },
  );
}

test('a flood of output is counted, and its beginning and end are told', async (t) => {
  const agent = await createAgent(t);
  const text = await toText(
    agent.call('shell', {
      command: 'yes 0123456789 | head -c 104857600; echo the end',
      timeoutSeconds: 300,
    }),
  );
  assert.match(text, /just opened[^]*\n0123456789\n0123456789\n/);
  assert.match(text, /\[… (\d+) lines(?: and \d+ bytes that were not kept)? left out …\]/);
  assert.match(text, /the end\n\[exit 0\]$/);
  assert.ok(text.length < 8000, `${text.length} characters`);
});

test('a command that asks for a password asks the person, not the agent', async (t) => {
  const agent = await createAgent(t);
  await agent.call('shell', {command: 'true'});
  const text = await toText(
    agent.call('shell', {
      command: 'read -rs -p "Password: " answer; echo; echo "${#answer} characters"',
      timeoutSeconds: 30,
    }),
  );
  assert.match(
    text,
    /\[it waits for a secret: Password:\. A person is notified and can answer in its terminal\./,
  );
  assert.deepEqual(
    agent.needs().map(({kind}) => kind),
    ['question'],
  );
  assert.match((await agent.call('shell', {command: 'hunter2'})).text, /still running/);
  assert.equal(agent.run('send', 's3', 'hunter2').code, 1, 'a secret is typed into its pane alone');
  assert.match(await toText(agent.call('shell', {command: '\u0003'})), /\[exit \d+\]$/);
  await agent.until(
    'nobody is asked any more',
    (state) => !JSON.stringify(state.sessions).includes('"secret":true'),
  );
});

test('a command that has not begun yet asks nobody: the shell stands at its prompt still', async (t) => {
  const agent = await createAgent(t);
  await agent.call('shell', {command: 'true'});
  const {pid} = agent.metaOf('s3');
  end(pid, agent.home, 'SIGSTOP');
  t.after(() => {
    end(pid, agent.home, 'SIGCONT');
  });
  const answer = agent.call('shell', {command: 'echo begun'});
  await eventually('it is to be typed', () => agent.eventsOf('input-asked').length === 2);
  // Whoever looks at this one has looked at the shell before.
  for (const session of ['s4', 's5']) {
    assert.equal(await agent.start('sh', '-c', 'read -r line'), session);
    await eventually(`${session} is seen to wait`, () =>
      agent.eventsOf('session-waiting').some((event) => event.session === session),
    );
  }

  end(pid, agent.home, 'SIGCONT');
  assert.equal((await answer).text, 'begun\n[exit 0]');
  assert.deepEqual(
    agent.eventsOf('session-waiting').map(({session}) => session),
    ['s4', 's5'],
  );
});

test('two calls at once: the second is refused; another shell is free', async (t) => {
  const agent = await createAgent(t);
  await agent.call('shell', {command: 'true'});
  const first = agent.call('shell', {command: `${untilNotified(agent)}; echo first`});
  await eventually('it was typed', () => agent.eventsOf('input-asked').length === 2);
  assert.equal(
    (await agent.call('shell', {command: 'echo second'})).text,
    'another call is using the shell main; wait for it, or choose another name',
  );
  assert.match(
    await toText(agent.call('shell', {command: 'echo other', name: 'other'})),
    /other\n\[exit 0\]$/,
  );
  notify(agent);
  assert.equal((await first).text, 'first\n[exit 0]');
});

test('a shell lives on from attempt to attempt and over a daemon that is killed, and ends when its task is merged', async (t) => {
  const agent = await createAgent(t, {
    acts: {
      t1: 'n=$(cat "$HOME/tries" 2>/dev/null | wc -l); echo x >> "$HOME/tries"; while [ ! -e "$HOME/go-t1-$n" ]; do sleep 0.05; done; if [ "$n" = 0 ]; then echo red > t1.txt; else echo done > t1.txt; fi',
    },
  });
  await agent.call('shell', {command: 'cd /; KEPT=yes'});
  await agent.killDaemon('SIGKILL');
  assert.equal(agent.run('daemon', 'start').code, 0);
  assert.equal(await toText(agent.call('shell', {command: 'pwd; echo $KEPT'})), '/\nyes\n[exit 0]');
  letGo(agent, 0);
  const state = await agent.until('the second attempt runs', (known) =>
    known.live.some(
      (id) =>
        JSON.stringify(known.sessions).includes('"attempt":2') &&
        id !== 's3' &&
        id !== agent.worker,
    ),
  );
  const second = (
    await eventually('its worker runs', async () =>
      (await agent.sessions()).find(
        ({name, status}) => name === 'r1.t1 attempt 2' && status === 'running',
      ),
    )
  ).session;
  assert.ok(state.live.includes('s3'));
  assert.equal(
    await toText(agent.call('shell', {command: 'pwd; echo $KEPT'}, {session: second})),
    '/\nyes\n[exit 0]',
  );
  letGo(agent, 1);
  await agent.until(
    'it is merged and the shell has ended',
    (known) => !known.live.includes('s3') && selectNeeds(known).some(({kind}) => kind === 'accept'),
  );
  assert.deepEqual(
    [
      agent.eventsOf('attempt-interrupted').length,
      agent.eventsOf('trouble-met').length,
      agent.needs().map(({kind}) => kind),
    ],
    [0, 0, ['accept']],
  );
});

test('a daemon that is killed under a command types it once, and the call asked again gives its result', async (t) => {
  const agent = await createAgent(t);
  await agent.call('shell', {command: 'true'});
  const grant = agent.grantOf(agent.worker);
  const file = path.join(agent.home, 'ran');
  const ask = async (): Promise<unknown> => {
    const {connectDaemon} = await import('../../../../source/client/index.ts');
    const daemon = await connectDaemon({socket: grant.socket, token: grant.token, build: 'test'});
    return daemon
      .ask({
        about: 'tool',
        tool: 'shell',
        input: {command: `echo run >> ${file}; ${untilNotified(agent)}; echo done`},
        call: 'call-7',
      })
      .finally(daemon.close);
  };
  const first = ask().catch((error: unknown) => error);
  await eventually('the command runs', () => existsSync(file));
  await agent.killDaemon('SIGKILL');
  assert.ok((await first) instanceof Error);
  assert.equal(agent.run('daemon', 'start').code, 0);
  notify(agent);
  assert.deepEqual(await ask(), {text: 'done\n[exit 0]'});
  assert.deepEqual(await ask(), {text: 'done\n[exit 0]'}, 'however often it is asked');
  assert.equal(await toText(agent.call('shell', {command: `wc -l < ${file}`})), '1\n[exit 0]');
  assert.equal(agent.eventsOf('input-asked').length, 3);
});

test('the shell that a person attaches to is the same, and a person ends it', async (t) => {
  const agent = await createAgent(t);
  await agent.call('shell', {command: 'X=agent'});
  assert.equal(agent.run('send', 's3', 'X=person').code, 0);
  assert.equal(await toText(agent.call('shell', {command: 'echo $X'})), 'person\n[exit 0]');
  assert.equal(agent.run('stop', 's3').code, 0);
  assert.equal(
    await toText(agent.call('shell', {command: 'echo $X'})),
    `${opened}\n[exit 0]`.replace('\n\n', '\n'),
  );
  assert.deepEqual(agent.eventsOf('task-held'), []);
});

test(
  'inside the sandbox a program reaches its tools, and nothing else of ours',
  needs('bubblewrap'),
  async (t) => {
    const orchestra = `'${process.execPath}' '${launcher}'`;
    const agent = await createAgent(t, {
      project: 'sandbox: required\n',
      acts: {
        t1: `${orchestra} tool task_status > t1.txt 2>&1; ${orchestra} tool shell '{"command": "echo from inside; touch \\"$HOME/escaped\\""}' >> t1.txt 2>&1; ls "$(dirname "$ORCHESTRA_TOOLS")"/../../sessions >> t1.txt 2>&1; while [ ! -e "$HOME/go-t1" ]; do sleep 0.05; done`,
      },
    });
    await eventually('it has called', () => agent.eventsOf('tool-called').length >= 2);
    agent.letGo();
    await agent.until('it is merged', (known) => JSON.stringify(known.runs).includes('"merged"'));
    const text = agent.git('show', 'orchestra/r1:t1.txt');
    assert.match(text, /^r1\.t1: Do t1\n/);
    assert.match(text, /from inside/);
    assert.match(text, /escaped.*Read-only file system/);
    assert.match(text, /sessions.*No such file/);
    assert.equal(existsSync(path.join(agent.home, 'escaped')), false);
  },
);

/** A command that goes on until `tell`. */
function untilNotified({home}: StagedAgent): string {
  return `until [ -e '${home}/told' ]; do sleep 0.05; done`;
}

function notify({home}: StagedAgent): void {
  writeFileSync(path.join(home, 'told'), '');
}

function letGo({home}: StagedAgent, attempt: number): void {
  writeFileSync(path.join(home, `go-t1-${attempt}`), '');
}
