// A claude in its own interface, told by files what to do: own-interface.mjs DIRECTORY [arguments of claude]. It takes prompts at "❯ ",
// also while it works, and appends a line of JSON to DIRECTORY/log for each that it takes, with what it did meanwhile, and for each key that
// answers its dialog. DIRECTORY/finish ends its turn, and its text becomes t1.txt; DIRECTORY/ask shows a dialog until a key comes.
import {appendFileSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {setInterval} from 'node:timers';

const [directory = '.', ...rest] = process.argv.slice(2);
if (rest.includes('--version')) {
  process.stdout.write('2.1.325 (Claude Code)\n');
  process.exit(0);
}

const at = (name) => path.join(directory, name);
const note = (what) => appendFileSync(at('log'), `${JSON.stringify(what)}\n`);
const signal = (kind) =>
  appendFileSync(
    process.env.ORCHESTRA_SIGNALS ?? '/dev/null',
    `${JSON.stringify({hook_event_name: kind, session_id: '00000000-0000-4000-8000-000000000001'})}\n`,
  );
let [text, last, turns, isWorking, isAsking, isPasting] = ['', '', 0, false, false, false];

function draw() {
  const dialog = 'Do you want to create t1.txt?\r\n❯ 1. Yes\r\n  2. No\r\n';
  const spinner = isWorking ? `Working ${turns++}` : 'Waiting';
  process.stdout.write(
    `\u001B[2J\u001B[H> ${last.split('\n')[0].slice(0, 60)}\r\n${spinner}\r\n\r\n${
      isAsking ? dialog : `❯ ${text.replaceAll('\n', '\r\n  ')}`
    }`,
  );
}

function enter() {
  if (text === '') return;
  note({took: text, while: isWorking ? 'working' : 'waiting'});
  last = text;
  text = '';
  if (isWorking) return;
  isWorking = true;
  signal('UserPromptSubmit');
}

function press(key) {
  if (isAsking) {
    note({answered: key});
    isAsking = false;
    rmSync(at('ask'), {force: true});
  } else if (key === '\r' && !isPasting) enter();
  else if (key === '\u007F') text = text.slice(0, -1);
  else text += key === '\r' ? '\n' : key;
}

// eslint-disable-next-line no-control-regex -- keys and answers of a terminal begin with one
const keys = /\u001B\[20[01]~|\u001B\[[?>]?[\d;]*[a-zA-Z]|\u001B[P\]][^\u001B]*\u001B\\|[\s\S]/gu;
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  for (const [part] of chunk.matchAll(keys)) {
    if (part === '\u001B[200~' || part === '\u001B[201~') isPasting = part === '\u001B[200~';
    else if (!part.startsWith('\u001B')) press(part);
  }

  draw();
});
process.stdout.write('\u001B[?2004h');
signal('SessionStart');
note({started: rest});
draw();
setInterval(() => {
  if (isWorking && !isAsking && existsSync(at('ask'))) isAsking = true;
  else if (isWorking && existsSync(at('finish'))) {
    writeFileSync('t1.txt', readFileSync(at('finish'), 'utf8'));
    rmSync(at('finish'));
    isWorking = false;
    signal('Stop');
  } else if (!isWorking) return;
  draw();
}, 60);
