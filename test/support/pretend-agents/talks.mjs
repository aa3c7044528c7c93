#!/usr/bin/env node
// A planner with a screen of its own, with whom a person talks. It takes a prompt at "> " and answers by what the prompt says:
//   a plan (from the file that PLAN names) if it asks for one, says why a plan was not accepted, or says "PLAN NOW"
//   another plan on "REPLACE IT", by the tool      an invalid plan on "SPOIL IT"
//   a file that it writes on "WRITE IT"             a question on anything else, and on its first prompt with --asks
// Every prompt that it takes is a line of JSON in the file that TYPED names. It signals its turns, and ends on "exit".
import {execFileSync} from 'node:child_process';
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import process from 'node:process';

const asks = process.argv.includes('--asks');
const say = (text) => process.stdout.write(text);
const signal = (kind, words) => {
  appendFileSync(
    process.env.ORCHESTRA_SIGNALS ?? '/dev/null',
    `${JSON.stringify({signal: kind, conversation: 'talks-1', ...(words && {words})})}\n`,
  );
};
const plan = (title) => {
  const read = JSON.parse(readFileSync(process.env.PLAN, 'utf8'));
  return {...read, tasks: read.tasks.map((task) => ({...task, title}))};
};
let prompts = 0;
let text = '';
let isPasting = false;

function answer(prompt) {
  prompts++;
  if (prompt.includes('SPOIL IT')) return '```json\n{"tasks": []}\n```';
  if (prompt.includes('WRITE IT')) {
    writeFileSync('written.txt', 'by the planner\n');
    return `\`\`\`json\n${JSON.stringify(plan('written'))}\n\`\`\``;
  }

  if (prompt.includes('REPLACE IT')) {
    execFileSync(process.execPath, [
      process.env.ORCHESTRA_CLI,
      'tool',
      'submit_plan',
      JSON.stringify({plan: plan('replaced')}),
    ]);
    return 'I have handed in another one.';
  }

  const isAskedFor = /PLAN NOW|did not accept|not a plan that can be read/.test(prompt);
  if (isAskedFor || (prompts === 1 && !asks))
    return `\`\`\`json\n${JSON.stringify(plan(`of prompt ${prompts}`))}\n\`\`\``;
  return 'Which database do you use?';
}

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');

function enter() {
  const prompt = text;
  text = '';
  appendFileSync(process.env.TYPED ?? '/dev/null', `${JSON.stringify({prompt})}\n`);
  if (prompt === 'exit') process.exit(0);
  signal('turn-began');
  say('\r\nworking');
  const words = answer(prompt);
  say('\u001B[2J\u001B[Hdone\r\n> ');
  signal('turn-ended', words);
}

// eslint-disable-next-line no-control-regex -- keys and answers of a terminal begin with one
const keys = /\u001B\[20[01]~|\u001B\[[?>]?[\d;]*[a-zA-Z]|\u001B[P\]][^\u001B]*\u001B\\|[\s\S]/gu;
process.stdin.on('data', (chunk) => {
  for (const [part] of chunk.matchAll(keys)) {
    if (part === '\u001B[200~' || part === '\u001B[201~') isPasting = part === '\u001B[200~';
    else if (part.startsWith('\u001B')) continue;
    else if (part === '\r' && !isPasting) enter();
    else {
      text += part;
      say(part === '\n' ? '\r\n' : part);
    }
  }
});

say('\u001B[?2004h\r\n> ');
