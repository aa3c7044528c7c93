#!/usr/bin/env node
// An agent with a screen of its own that keeps its conversations in files, so that it goes on with them after it was killed:
//   converses.mjs FOLDER [--resume ID]
// It knows its task only from the prompts of its conversation: "Write t1." Red work is what it does first for t1; it mends it
// when a prompt names the failure. Each thing that reaches it is a line of JSON in FOLDER/record, with the name of its session.
import {appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {setTimeout} from 'node:timers';

const [folder = '', , resumed] = process.argv.slice(2);
const session = process.env.ORCH_SESSION ?? '';
const conversation = resumed ?? `talk-${session}`;
const memory = path.join(folder, conversation);
const say = (what) => process.stdout.write(what);
const note = (what) =>
  appendFileSync(path.join(folder, 'record'), `${JSON.stringify({session, ...what})}\n`);
const signal = (kind, more = {}) =>
  appendFileSync(
    process.env.ORCHESTRA_SIGNALS ?? '/dev/null',
    `${JSON.stringify({signal: kind, conversation, ...more})}\n`,
  );

let [text, isPasting, isWorking] = ['', false, false];

mkdirSync(folder, {recursive: true});
if (resumed !== undefined && !existsSync(memory)) {
  note({missing: conversation});
  say(`there is no conversation ${conversation}\r\n`);
  process.exit(1);
}

appendFileSync(memory, '');

const prompt = () => say('\u001B[2J\u001B[H> ');

function enter() {
  const asked = text;
  text = '';
  note({prompt: asked, conversation});
  appendFileSync(memory, `${JSON.stringify(asked)}\n`);
  isWorking = true;
  signal('turn-began');
  say('\u001B[2J\u001B[Hworking\r\n');
  setTimeout(work, 400);
}

function work() {
  const asked = readFileSync(memory, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => read(JSON.parse(line)));
  const task = asked.map((one) => /Write (?<task>t\d)\./.exec(one)?.groups?.task).find(Boolean);
  if (task === undefined) note({lost: conversation});
  else writeFileSync(`${task}.txt`, task === 't1' && !asked.some(isRepair) ? 'red\n' : 'green\n');
  isWorking = false;
  signal('turn-ended', {words: task === undefined ? 'What shall I do?' : `${task} is done.`});
  prompt();
}

/** A prompt that is too long to be typed names its file. */
function read(asked) {
  const [, file] = /^Read the file (\S+) and do what it says\.$/.exec(asked) ?? [];
  return file === undefined ? asked : readFileSync(file, 'utf8');
}

function isRepair(asked) {
  return asked.includes('a file is red');
}

// eslint-disable-next-line no-control-regex -- keys and answers of a terminal begin with one
const keys = /\u001B\[20[01]~|\u001B\[[?>]?[\d;]*[a-zA-Z]|\u001B[P\]][^\u001B]*\u001B\\|[\s\S]/gu;
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  let shown = '';
  for (const [part] of chunk.matchAll(keys)) {
    if (part === '\u001B[200~' || part === '\u001B[201~') {
      isPasting = part === '\u001B[200~';
      if (!isPasting) note({draft: text});
    } else if (part.startsWith('\u001B')) continue;
    else if (part === '\r' && !isPasting) {
      if (isWorking || text === '') continue;
      enter();
      shown = '';
    } else {
      text += part;
      shown += part === '\n' ? '\r\n' : part;
    }
  }

  say(shown);
});

say('\u001B[?2004h');
prompt();
signal('started');
