// A pretend claude with a channel: listens.mjs LOG HOW OPTIONS. It appends what it reads to LOG and works on its prompt as HOW says:
//   works   until a message comes; then it says that it has read it, and ends its turn
//   ends    it ends its turn at once; a message is another turn, for which it starts again where its input has ended
//   old     it rejects an option that it does not know
import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {createInterface} from 'node:readline';

const [log, how, ...options] = process.argv.slice(2);
const knows = options.includes('--replay-user-messages');
if (how === 'old' && knows) {
  process.stderr.write("error: unknown option '--replay-user-messages'\n");
  process.exit(1);
}

const print = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);
const note = (text) => appendFileSync(log, `${JSON.stringify(text)}\n`);
const init = {type: 'system', subtype: 'init', session_id: 'c-1', model: 'm'};
let turns = 0;
const work = (text) => {
  turns += 1;
  print({
    type: 'assistant',
    message: {
      id: `m${turns}`,
      model: 'm',
      content: [{type: 'text', text}],
      usage: {input_tokens: 10, output_tokens: 1},
    },
  });
};
const end = (result) =>
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result,
    session_id: 'c-1',
    usage: {input_tokens: 10, output_tokens: 2},
    model_usage_since_last_result: {m: {inputTokens: 10, outputTokens: 2, costUSD: 0.5}},
    total_cost_usd: 0.5 * turns,
  });

if (!knows) {
  note(readFileSync(0, 'utf8'));
  print(init);
  work('Working.');
  end('Done.');
} else {
  for await (const line of createInterface({input: process.stdin})) {
    const {content} = JSON.parse(line).message;
    const [{text}] = content;
    const isPrompt = !existsSync(log);
    note(text);
    if (isPrompt) print(init);
    print({type: 'user', message: {content}, isReplay: true});
    work(isPrompt ? 'Working.' : 'As you say.');
    if (!isPrompt || how === 'ends') end(isPrompt ? 'Done.' : 'Done as you said.');
  }
  note('end of input');
}
