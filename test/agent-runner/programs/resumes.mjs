// A pretend claude that works until it is ended, and is done when it is resumed. It appends each
// prompt with its arguments to the file that it is given: resumes.mjs LOG [--resume ID].
import {appendFileSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {setInterval} from 'node:timers';

const [log, ...rest] = process.argv.slice(2);
appendFileSync(log, `${JSON.stringify({rest, prompt: readFileSync(0, 'utf8')})}\n`);
const print = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);
print({type: 'system', subtype: 'init', session_id: 'c-1', model: 'm'});
print({
  type: 'assistant',
  message: {
    id: `m${rest.length}`,
    model: 'm',
    content: [{type: 'text', text: 'Working.'}],
    usage: {input_tokens: 10, output_tokens: 1},
  },
});
if (rest.includes('--resume'))
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done as you said.',
    session_id: 'c-1',
    usage: {input_tokens: 5, output_tokens: 2},
  });
else setInterval(() => {}, 1000);
