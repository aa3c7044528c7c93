import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {PassThrough} from 'node:stream';
import {setTimeout} from 'node:timers/promises';
import {text as readText} from 'node:stream/consumers';
import {describe, test, type TestContext} from 'node:test';
import {createChannel} from '../../source/agent-runner/create-channel.ts';
import {createInbox} from '../../source/agent-runner/create-inbox.ts';
import {createPrinter} from '../../source/agent-runner/create-printer.ts';
import {eventually} from '../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture, ends, init, show} from './support/pretend.ts';
import {
  emptyStream,
  findDriver,
  foldStream,
  formatInboxMessage,
  inboxFiles,
  parseInboxResult,
  parseStream,
  selectUsage,
} from '../../source/agents/index.ts';

const resumes = path.join(import.meta.dirname, 'programs/resumes.mjs');

type Start = {readonly rest: readonly string[]; readonly prompt: string};

test('a message ends the agent and resumes its conversation with it, in the same session', async (t) => {
  const fixture = createDaemonFixture(t);
  const base = path.dirname(fixture.outcomeFile);
  const [inbox, log] = [path.join(base, 'inbox'), path.join(base, 'log')];
  mkdirSync(inbox);
  writeFileSync(path.join(inbox, inboxFiles.asked(1)), JSON.stringify({text: 'Use tabs.'}));
  const {code, outcome, stream} = await show(
    fixture,
    {},
    {argv: [process.execPath, resumes, log], inbox},
  );
  assert.equal(code, 0);
  assert.deepEqual(outcome, {
    at: 'finished',
    words: 'Done as you said.',
    usage: {input: 15, output: 3},
    conversation: 'c-1',
  });
  const starts = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Start);
  assert.deepEqual(
    starts.map(({rest}) => rest),
    [[], ['--resume', 'c-1']],
  );
  assert.match(starts[1]?.prompt ?? '', /sends you this message:\n\nUse tabs\.\n/);
  assert.equal(
    parseInboxResult(readFileSync(path.join(inbox, inboxFiles.done(1)), 'utf8')),
    'restart',
  );
  assert.equal(stream.match(/"init"/g)?.length, 2, 'the stream has both starts');
});

test('a message that was begun before is never given again', async (t) => {
  const fixture = createDaemonFixture(t);
  const base = path.dirname(fixture.outcomeFile);
  const inbox = path.join(base, 'inbox');
  mkdirSync(inbox);
  writeFileSync(path.join(inbox, inboxFiles.asked(1)), JSON.stringify({text: 'Use tabs.'}));
  writeFileSync(path.join(inbox, inboxFiles.begun(1)), '');
  const {outcome} = await show(fixture, {chunks: [init, ends('Bye.')]}, {inbox});
  assert.equal(outcome?.words, 'Bye.');
  assert.ok(!existsSync(path.join(inbox, inboxFiles.done(1))));
});

const listens = path.join(import.meta.dirname, 'programs/listens.mjs');
const claude = findDriver('claude', []);
const channelOptions = ('driver' in claude ? claude.driver.channel?.options : undefined) ?? [];

/** An agent with a channel, and what it has read. */
function openChannel(
  t: TestContext,
  how: string,
): {
  readonly fixture: DaemonFixture;
  readonly run: {readonly argv: readonly string[]; readonly inbox: string};
  readonly ask: (number: number, text: string) => void;
  readonly fate: (number: number) => string | undefined;
  readonly read: () => readonly string[];
} {
  const fixture = createDaemonFixture(t);
  const base = path.dirname(fixture.outcomeFile);
  const [inbox, log] = [path.join(base, 'inbox'), path.join(base, 'log')];
  mkdirSync(inbox);
  return {
    fixture,
    run: {argv: [process.execPath, listens, log, how, ...channelOptions], inbox},
    ask: (number, text) => {
      writeFileSync(path.join(inbox, inboxFiles.asked(number)), JSON.stringify({text}));
    },
    fate: (number) => {
      const file = path.join(inbox, inboxFiles.done(number));
      return existsSync(file) ? parseInboxResult(readFileSync(file, 'utf8')) : undefined;
    },
    read: () =>
      (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []).map(
        (line) => JSON.parse(line) as string,
      ),
  };
}

describe('an agent with a channel', () => {
  test('reads a message while it works, and is not started again', async (t) => {
    const {fixture, run, ask, fate, read} = openChannel(t, 'works');
    const shown = show(fixture, {}, run);
    await eventually('it works', () => read().length === 1);
    ask(1, 'Use tabs.');
    const {code, outcome, stream, screen} = await shown;
    assert.equal(code, 0, screen);
    assert.equal(outcome?.words, 'Done as you said.');
    assert.equal(fate(1), 'channel');
    assert.match(read()[0] ?? '', /# Task: x/);
    assert.match(read()[1] ?? '', /sends you this message:\n\nUse tabs\.\n/);
    assert.deepEqual(read().slice(2), ['end of input']);
    assert.match(screen, /Message from you: Use tabs\./);
    assert.equal(stream.match(/"init"/g)?.length, 1);
  });

  test('reads several at once, each once', async (t) => {
    const {fixture, run, ask, fate, read} = openChannel(t, 'works');
    ask(1, 'Use tabs.');
    ask(2, 'And dots.');
    const {code, screen} = await show(fixture, {}, run);
    assert.equal(code, 0, screen);
    assert.deepEqual([fate(1), fate(2)], ['channel', 'channel']);
    assert.equal(read().length, 4);
  });

  test('is told the end of its input when it ends its turn; what comes before that is another turn, and counts', async (t) => {
    const {fixture, run, ask, fate, read} = openChannel(t, 'ends');
    ask(1, 'Use tabs.');
    const {outcome} = await show(fixture, {}, run);
    assert.equal(fate(1), 'channel');
    assert.deepEqual(outcome, {
      at: 'finished',
      words: 'Done as you said.',
      usage: {input: 20, output: 4, cost: 1},
      conversation: 'c-1',
    });
    assert.equal(read().at(-1), 'end of input');
  });

  test('that never says it has read a message is not waited for, and nobody says that it got it', async (t) => {
    const {run, ask, fate} = openChannel(t, 'works');
    ask(1, 'Use tabs.');
    const input = new PassThrough();
    const channel = createChannel({
      channel: {options: [], format: (text) => text},
      prompt: 'Begin.',
      inbox: createInbox(run.inbox),
      printer: createPrinter({out: () => undefined, color: false}),
      unreadMs: 10,
    });
    channel.open(input);
    channel.onEvent({type: 'turn-ended'});
    const written = await readText(input);
    assert.match(
      written,
      /^Begin\.\nThe person who follows your work sends you this message:\n\nUse tabs\./,
    );
    assert.equal(fate(1), undefined);
  });

  test('that reads a message late is not cut off in the turn that answers it', async (t) => {
    const {run, ask, fate} = openChannel(t, 'works');
    ask(1, 'Use tabs.');
    const input = new PassThrough();
    const channel = createChannel({
      channel: {options: [], format: (text) => text},
      prompt: 'Begin.',
      inbox: createInbox(run.inbox),
      printer: createPrinter({out: () => undefined, color: false}),
      unreadMs: 1,
    });
    channel.open(input);
    channel.onEvent({type: 'turn-ended'});
    channel.onEvent({type: 'read', text: formatInboxMessage('Use tabs.')});
    // A timer that was set before, for a shorter time, has fired by then.
    await setTimeout(5);
    assert.equal(fate(1), 'channel');
    assert.equal(input.writableEnded, false, 'it still reads');
    channel.onEvent({type: 'turn-ended'});
    assert.equal(input.writableEnded, true);
    await readText(input);
  });

  test('of an older version counts the cost of several turns once', () => {
    const result = (cost: number): string =>
      JSON.stringify({
        type: 'result',
        subtype: 'success',
        usage: {input_tokens: 10, output_tokens: 2},
        total_cost_usd: cost,
      });
    const stream = 'driver' in claude ? claude.driver.stream : undefined;
    const events = parseStream(stream ?? assert.fail(), [result(0.5), result(0.75)]);
    assert.deepEqual(selectUsage(events.reduce(foldStream, emptyStream)), {
      input: 20,
      output: 4,
      cost: 0.75,
    });
  });

  test('of an older version is started without', async (t) => {
    const {fixture, run, read} = openChannel(t, 'old');
    const {code, screen} = await show(fixture, {}, run);
    assert.equal(code, 0, screen);
    assert.match(
      screen,
      /This claude does not support --input-format=stream-json --replay-user-messages; orchestra starts it without\./,
    );
    assert.match(read()[0] ?? '', /^# Rules\n\n# Task: x/);
  });
});
