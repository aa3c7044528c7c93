#!/usr/bin/env node
// An agent with a screen of its own: it takes a prompt at "> ", asks before it works, and ends on "exit". Every prompt that it
// takes and every answer is a line of JSON in the file that TYPED names, if it names one.
//   --plain   does not want pastes to be marked        --trust   asks whether it is trusted before anything else
//   --deaf    does nothing on Enter                    --blind   does not show what is typed
//   --works   does not ask                             --tells   says what it is doing by OSC 7501
//   --menu    asks whether it is trusted in a menu without numbers, whose mark looks like its prompt
//   --signals writes to ORCHESTRA_SIGNALS when a turn begins and ends
//   --reports ends a turn with a report, if its prompt contains "done"
//   --better  writes what is right only at its second prompt
//   --never   never shows that it takes a prompt
//   --late    says a moment later that it works, as one that first calls its model
//   --lies    ends its turns without having written anything
//   --hangs   never ends a turn, and shows nothing more
//   --redraws never ends a turn, and draws its screen, with its prompt, for ever
import {Buffer} from 'node:buffer';
import {appendFileSync, writeFileSync} from 'node:fs';
import process from 'node:process';
import {setInterval, setTimeout} from 'node:timers';

const is = (name) => process.argv.includes(`--${name}`);
const say = (text) => process.stdout.write(text);
const note = (what) =>
  appendFileSync(process.env.TYPED ?? '/dev/null', `${JSON.stringify(what)}\n`);
const signal = (kind, words) => {
  if (is('signals'))
    appendFileSync(
      process.env.ORCHESTRA_SIGNALS ?? '/dev/null',
      `${JSON.stringify({signal: kind, conversation: 'typed-1', words})}\n`,
    );
};
let prompts = 0;
let isDone = false;
let mode = 'prompt';
let text = '';
let isPasting = false;
let chosen = 0;
let frame = 0;

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');

function tell(state, more = '') {
  if (is('tells')) say(`\u001B]7501;state=${state}:app=typed${more}\u001B\\`);
}

function become(next, state) {
  mode = next;
  tell(
    state,
    next === 'dialog'
      ? `:kind=permission:msg=${Buffer.from('write b.txt').toString('base64')}`
      : '',
  );
  if (next === 'dialog') say('\r\nMay I write b.txt?\r\n❯ 1. Yes\r\n  2. No\r\n');
  if (next === 'trust') say('May I trust this folder?\r\n❯ 1. Yes\r\n  2. No\r\n');
  if (next === 'menu')
    say(
      `\u001B[2J\u001B[HIs this a folder that you trust?\r\n\r\n ${chosen === 0 ? '❯' : ' '} No, exit\r\n ${chosen === 1 ? '❯' : ' '} Yes, I trust it\r\n\r\n Enter to confirm`,
    );
  if (next === 'prompt') say(is('never') ? 'hello\r\n' : '\r\n> ');
}

function enter() {
  if (mode === 'menu') {
    note({chosen});
    if (chosen === 0) process.exit(0);
    say('\u001B[2J\u001B[H');
    become('prompt', 'idle');
    return;
  }

  if (mode !== 'prompt') {
    note({entered: mode});
    return;
  }

  if (is('deaf')) return;
  note({prompt: text});
  if (text === 'exit') process.exit(0);
  isDone = is('reports') && text.includes('done');
  text = '';
  prompts++;
  signal('turn-began');
  say('\r\nworking');
  if (is('late')) {
    mode = 'working';
    setTimeout(tell, 900, 'working');
    setTimeout(answer, 1500, '1');
    return;
  }

  tell('working');
  if (is('hangs') || is('redraws')) workForEver();
  else if (is('works') || is('lies')) answer('1');
  else become('dialog', 'blocked');
}

function workForEver() {
  mode = 'working';
  say('\u001B[2J\u001B[Hworking');
  if (is('redraws'))
    setInterval(() => {
      frame++;
      say(`\u001B[2J\u001B[Hworking ${frame}\r\n> `);
    }, 50);
}

function erase() {
  if (text === '') return;
  text = text.slice(0, -1);
  say('\b \b');
}

function answer(key) {
  note({answered: mode, key});
  if (mode !== 'trust' && key === '1' && !is('lies')) {
    const isWorse = is('better') && prompts === 1;
    writeFileSync('b.txt', isWorse ? 'worse\n' : 'better\n');
  }
  say('\u001B[2J\u001B[Hdone');
  become('prompt', 'idle');
  signal(
    'turn-ended',
    isDone ? 'There it is.\n```json\n{"rootCause": "It was not better."}\n```' : undefined,
  );
}

// eslint-disable-next-line no-control-regex -- keys and answers of a terminal begin with one
const keys = /\u001B\[20[01]~|\u001B\[[?>]?[\d;]*[a-zA-Z]|\u001B[P\]][^\u001B]*\u001B\\|[\s\S]/gu;
process.stdin.on('data', (chunk) => {
  for (const [part] of chunk.matchAll(keys)) {
    if (part === '\u001B[200~' || part === '\u001B[201~') isPasting = part === '\u001B[200~';
    else if (mode === 'menu' && (part === '\u001B[B' || part === '\u001B[A')) {
      chosen = part === '\u001B[B' ? 1 : 0;
      become('menu', 'idle');
    } else if (part.startsWith('\u001B')) note({reply: part});
    else if (part === '\r' && !isPasting) enter();
    else if (mode === 'working') note({ignored: part});
    else if (mode === 'prompt' && part === '\u007F') erase();
    else if (mode !== 'prompt') answer(part);
    else {
      text += part;
      if (!is('blind')) say(part === '\n' ? '\r\n' : part);
    }
  }
});

if (!is('plain')) say('\u001B[?2004h');
if (is('tells')) say('\u001B]7501;?\u001B\\\u001B[6n');
become(is('menu') ? 'menu' : is('trust') ? 'trust' : 'prompt', 'idle');
