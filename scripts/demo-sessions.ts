// A part of `npm run demo`: sessions for real, in a repository that is thrown away. Nothing here is staged but the order.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as pass} from 'node:timers/promises';

const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-demo-'));
const root = path.join(home, 'repository');
const env = {...process.env, XDG_STATE_HOME: path.join(home, 'state'), XDG_RUNTIME_DIR: path.join(home, 'run')};
const launcher = path.join(import.meta.dirname, '..', 'dist', 'orchestra.js');
const say = (text: string): void => void process.stdout.write(text);

const server = "require('node:http').createServer((q, s) => s.end('hello')).listen(0, '127.0.0.1', function () { console.log('port', this.address().port) })";
const question = 'read -p "Which colour? " colour; echo "You said $colour."; sleep 600';

mkdirSync(root);
mkdirSync(env.XDG_RUNTIME_DIR, {mode: 0o700});
spawnSync('git', ['init', '--quiet', root]);
try {
  show('start', '--name', 'server', '--', process.execPath, '-e', server);
  show('start', '--name', 'question', '--', 'bash', '-c', question);
  const port = await until('the server listens', () => sessions()[0]?.ports[0]?.port);
  await until('the question is seen', () => sessions()[1]?.waiting);
  show('sessions');
  show('port', String(port));
  const {pid} = JSON.parse(run('daemon', 'status', '--json')) as {readonly pid: number};
  say(`\n$ kill -9 ${pid}        # the daemon; the sessions do not notice\n`);
  process.kill(pid, 'SIGKILL');
  show('send', 's2', 'green');
  await until('it has answered', () => run('logs', 's2').includes('You said'));
  show('logs', 's2');
  show('stop', 's1');
  show('stop', 's2');
  show('sessions', '--all');
} finally {
  for (const {session, ended} of sessions()) if (ended === undefined) run('stop', session);
  run('daemon', 'stop');
  rmSync(home, {recursive: true, force: true});
}

type Line = {readonly session: string; readonly ports: readonly {readonly port: number}[]; readonly waiting?: unknown; readonly ended?: unknown};

function sessions(): readonly Line[] {
  return (JSON.parse(run('sessions', '--json')) as {readonly sessions: readonly Line[]}).sessions;
}

function show(...argv: readonly string[]): void {
  const words = argv.map((word) => (word === process.execPath ? 'node' : /[\s"'(]/.test(word) ? `'${word.length > 50 ? `${word.slice(0, 47)}…` : word}'` : word));
  say(`\n$ orchestra ${words.join(' ')}\n${run(...argv)}`);
}

function run(...argv: readonly string[]): string {
  const {stdout, stderr} = spawnSync(process.execPath, [launcher, ...argv], {cwd: root, env, encoding: 'utf8'});
  return stdout + stderr;
}

async function until<T>(what: string, look: () => T | undefined | false): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    await pass(50);
  }

  throw new Error(`waited in vain until ${what}`);
}
