// Runs an agent as the hidden command `orchestra agent run` does.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {runAgent} from '../../../source/agent-runner/index.ts';

const end = process.argv.indexOf('--');
const {values} = parseArgs({
  // `agent run` comes first, as in the command that it stands for.
  args: process.argv.slice(4, end),
  options: {
    agent: {type: 'string'},
    mode: {type: 'string'},
    'prompt-file': {type: 'string'},
    'prompt-from': {type: 'string'},
    'outcome-file': {type: 'string'},
    inbox: {type: 'string'},
    conversation: {type: 'string'},
    'token-limit': {type: 'string'},
  },
});
process.exitCode = await runAgent({
  agent: values.agent ?? '',
  mode: values.mode === 'plan' ? 'plan' : 'work',
  argv: process.argv.slice(end + 1),
  directory: process.cwd(),
  promptFile: values['prompt-file'] ?? '',
  promptFrom: Number(values['prompt-from'] ?? 0),
  outcomeFile: values['outcome-file'] ?? '',
  ...(values.inbox !== undefined && {inbox: values.inbox}),
  ...(values.conversation !== undefined && {conversation: values.conversation}),
  ...(values['token-limit'] !== undefined && {tokenLimit: Number(values['token-limit'])}),
  env: process.env,
  out: (text) => {
    process.stdout.write(text);
  },
  now: Date.now,
});
