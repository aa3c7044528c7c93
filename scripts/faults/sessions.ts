// What sessions promise under kills, races and numbers, tried for real: `npm run faults`. Bounded, and leaves nothing behind.
import {readdirSync, readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type {Event} from '../../source/domain/index.ts';
import {readLog} from '../../source/keeper/index.ts';
import {createPlace, daemonsIn, until, type Place} from './place.ts';

const scale = Number(process.env['FAULTS_SCALE'] ?? 1);
const times = (count: number): number => Math.max(1, Math.round(count * scale));

type Count = {readonly tried: number; readonly held: number; readonly note?: string};

const promises: readonly [string, (place: Place) => Promise<Count>][] = [
  ['kill -9 of the daemon under a live terminal: no byte lost, never hung up, exit status right', killDaemon],
  ['kill -9 of a keeper: that session is lost and said so, the others go on', killKeeper],
  ['fast exits of 20 kB: none truncated; descriptors, terminals and sockets flat', exitFast],
  ['ten clients race to start the daemon: one daemon, all answered', race],
];

let isBroken = false;
for (const [promise, attempt] of promises) {
  const place = createPlace();
  const {tried, held, note} = await attempt(place).finally(place.close);
  isBroken ||= held !== tried;
  process.stdout.write(`${held === tried ? 'held  ' : 'BROKEN'}  ${tried} tried, ${held} held  ${promise}${note === undefined ? '' : ` (${note})`}\n`);
}

process.exitCode = isBroken ? 1 : 0;

async function killDaemon(place: Place): Promise<Count> {
  const script = `trap 'echo HUNG UP' HUP; i=0; while [ ! -e stop ]; do i=$((i+1)); echo "line $i"; sleep 0.005; done; echo "last $i"; exit 7`;
  const session = place.run('start', '--', 'bash', '-c', script).out.trim();
  const kills = times(100);
  for (let kill = 0; kill < kills; kill++) process.kill(place.daemonPid(), 'SIGKILL');
  writeFileSync(path.join(place.root, 'stop'), '');
  const ended = await until('the program has ended', () => place.sessions().find((listed) => listed.session === session)?.ended);
  const lines = Buffer.concat([...readLog(place.directoryOf(session))].map(({bytes}) => bytes)).toString('utf8').trimEnd().split('\r\n');
  const isWhole = lines.every((line, index) => line === (index === lines.length - 1 ? `last ${lines.length - 1}` : `line ${index + 1}`));
  return {tried: kills, held: isWhole && ended.code === 7 ? kills : 0, note: `${lines.length} lines`};
}

async function killKeeper(place: Place): Promise<Count> {
  const rounds = times(20);
  const witness = place.run('start', '--', 'sleep', '600').out.trim();
  let held = 0;
  for (let round = 0; round < rounds; round++) {
    const victim = place.run('start', '--', 'sleep', '600').out.trim();
    await until('it runs', () => place.sessions().find((listed) => listed.session === victim)?.status === 'running');
    const {pid} = JSON.parse(readFileSync(path.join(place.directoryOf(victim), 'meta.json'), 'utf8')) as {readonly pid: number};
    process.kill(pid, 'SIGKILL');
    await until('the loss is known', () => place.sessions().find((listed) => listed.session === victim)?.status === 'lost');
    held += place.sessions().find((listed) => listed.session === witness)?.status === 'running' ? 1 : 0;
  }

  return {tried: rounds, held};
}

async function exitFast(place: Place): Promise<Count> {
  const size = 20_000;
  const program = ['bash', '-c', `head -c ${size} /dev/zero | tr '\\0' x`];
  place.run('start', '--', ...program);
  await until('the first has ended', () => place.sessions().every(({ended}) => ended !== undefined));
  const daemon = await place.connect();
  const pid = place.daemonPid();
  const before = countsOf(pid, place);
  const sessions: string[] = [];
  const total = times(1000);
  while (sessions.length < total) {
    const batch = await Promise.all(Array.from({length: Math.min(8, total - sessions.length)}, async () => {
      const answer = (await daemon.ask({about: 'wish', wish: {type: 'start-session', name: 'fast', command: program, directory: place.root}, env: {PATH: process.env['PATH'] ?? ''}})) as {readonly events: readonly Event[]};
      return answer.events.find((event) => event.type === 'session-asked')?.session ?? '';
    }));
    sessions.push(...batch);
    await until('the batch has ended', () => batch.every((session) => isOver(place, session)));
  }

  await until('all ends are known', () => place.sessions().every(({ended}) => ended !== undefined));
  daemon.close();
  const held = sessions.filter((session) => [...readLog(place.directoryOf(session))].reduce((sum, {bytes}) => sum + bytes.length, 0) === size).length;
  const after = await until('what was opened is closed again', () => {
    const now = countsOf(pid, place);
    return now.descriptors <= before.descriptors + 2 && now.terminals <= before.terminals && now.sockets <= before.sockets ? now : undefined;
  }).catch(() => countsOf(pid, place));
  const note = `daemon's descriptors ${before.descriptors} → ${after.descriptors}, terminals ${before.terminals} → ${after.terminals}, sockets ${before.sockets} → ${after.sockets}`;
  const isFlat = after.descriptors <= before.descriptors + 2 && after.terminals <= before.terminals && after.sockets <= before.sockets;
  return {tried: total, held: isFlat ? held : Math.min(held, total - 1), note};
}

function isOver(place: Place, session: string): boolean {
  try {
    return readdirSync(place.directoryOf(session)).includes('exit.json');
  } catch {
    return false;
  }
}

function countsOf(pid: number, {here}: Place): {readonly descriptors: number; readonly terminals: number; readonly sockets: number} {
  const sockets = readdirSync(here.runtimeDirectory).filter((name) => name.endsWith('.sock')).length;
  return {descriptors: readdirSync(`/proc/${pid}/fd`).filter((fd) => isThere(`/proc/${pid}/fd/${fd}`)).length, terminals: readdirSync('/dev/pts').length, sockets};
}

function isThere(link: string): boolean {
  try {
    return readlinkSync(link) !== '';
  } catch {
    return false;
  }
}

async function race(place: Place): Promise<Count> {
  const rounds = times(100);
  let held = 0;
  for (let round = 0; round < rounds; round++) {
    const outcomes = await Promise.all(Array.from({length: 10}, () => place.launch('sessions', '--json')));
    const isAnswered = outcomes.every(({code, out}) => code === 0 && out.startsWith('{"sessions"'));
    held += isAnswered && daemonsIn(place.home).length === 1 ? 1 : 0;
    place.run('daemon', 'stop');
  }

  return {tried: rounds, held};
}
