// Follows a playbook as the command does. ENDS_AT=n: kills itself, without a chance to tidy up,
// when it says something for the n-th time.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {runPlaybook} from '../../../source/playbook-agent/index.ts';

const {values} = parseArgs({
  options: {
    mode: {type: 'string'},
    playbook: {type: 'string'},
    task: {type: 'string'},
    attempt: {type: 'string'},
    'outcome-file': {type: 'string'},
  },
});
// As cli.ts does: a stream is made of standard input, which the commands below inherit.
const isTerminal = process.stdin.isTTY;
const endsAt = Number(process.env['ENDS_AT'] ?? 0);
let output = 0;
process.exitCode = await runPlaybook({
  mode: values.mode === 'plan' ? 'plan' : 'work',
  directory: process.cwd(),
  playbook: values.playbook ?? '',
  ...(values.task !== undefined && {task: values.task}),
  attempt: Number(values.attempt ?? 1),
  ...(values['outcome-file'] !== undefined && {outcomeFile: values['outcome-file']}),
  env: {...process.env, IS_TERMINAL: String(isTerminal)},
  out: (text) => {
    process.stdout.write(text);
    output += 1;
    if (output === endsAt) process.kill(process.pid, 'SIGKILL');
  },
});
