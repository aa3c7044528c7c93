import type {InteractiveAgent, TranscriptSummary} from './driver.ts';
import {moveRecords, parseLines, parseOwnSignal, sumUsage} from './signals.ts';
import {asAmount, asFields, contentText} from './stream/fields.ts';

/** Pi in its own interface: our extension reports turns, and its session file has the usage. */
export const piInteractive: InteractiveAgent = {
  parseSignal: parseOwnSignal,
  provenAs: ['worker'],
  transcript: {
    directory: (home, env) =>
      env['PI_CODING_AGENT_SESSION_DIR'] ??
      `${env['PI_CODING_AGENT_DIR'] ?? `${home}/.pi/agent`}/sessions`,
    isRecordOf: (relativePath, conversation) => relativePath.endsWith(`_${conversation}.jsonl`),
    moveTo: ({path, text}, worktree) => ({
      path: `--${worktree.replace(/^\//, '').replaceAll(/[/\\:]/g, '-')}--/${path.split('/').at(-1) ?? ''}`,
      text: moveRecords(text, worktree),
    }),
    parse: parseTranscript,
  },
};

function parseTranscript(text: string): TranscriptSummary {
  const messages = parseLines(text)
    .filter(({type}) => type === 'message')
    .map((record) => asFields(record['message']))
    .filter(({role}) => role === 'assistant');
  const usage = sumUsage(
    messages
      .map((message) => asFields(message['usage']))
      .map(({input, cacheRead, cacheWrite, output, cost}) => ({
        input: asAmount(input) + asAmount(cacheRead) + asAmount(cacheWrite),
        output: asAmount(output),
        cost: asAmount(asFields(cost)['total']),
      })),
  );
  const lastText = messages.map(({content}) => contentText(content)).findLast((one) => one !== '');
  return {...(usage !== undefined && {usage}), ...(lastText !== undefined && {words: lastText})};
}
