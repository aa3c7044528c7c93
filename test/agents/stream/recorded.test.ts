import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {
  type Driver,
  drivers,
  emptyStream,
  foldStream,
  outcomeOfStream,
  parseStream,
  type StreamEnd,
  type StreamEvent,
} from '../../../source/agents/index.ts';
import {createPrinter} from '../../../source/agent-runner/create-printer.ts';
import type {StreamEnding} from '../real/support/record.ts';
import {useTimeZone} from './support/use-time-zone.ts';

/**
 * Printed by the real CLIs (docs/agents.md has their versions); `RECORD_STREAMS=1 npm run
 * test:agents` records them anew.
 */
const recorded = path.join(import.meta.dirname, 'recorded');
const goldens = path.join(import.meta.dirname, 'goldens');
const names = readdirSync(recorded)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace(/\.jsonl$/, ''));

function findDriver(name: string): Driver {
  return drivers.find((driver) => driver.name === name.split('-')[0]) ?? assert.fail(name);
}

function readAs(driver: Driver, text: string): StreamEvent[] {
  return parseStream(driver.stream ?? assert.fail(driver.name), text.split('\n'));
}

/** The events, the screen and the outcome of a recorded stream, as a golden file. */
function toGolden(name: string): string {
  const driver = findDriver(name);
  const events = readAs(driver, readFileSync(path.join(recorded, `${name}.jsonl`), 'utf8'));
  let screen = '';
  const printer = createPrinter({
    color: false,
    out: (text) => {
      screen += text;
    },
  });
  for (const event of events) printer.show(event);
  const outcome = outcomeOfStream(events.reduce(foldStream, emptyStream), {
    agent: driver.name,
    account: driver.account ?? '',
    ...getEnd(name),
    now: Date.UTC(2026, 10, 16, 12, 0),
  });
  return [
    '# Events',
    '',
    ...events.map((event) => JSON.stringify(event)),
    '',
    '# Screen',
    '',
    screen,
    '# Outcome',
    '',
    JSON.stringify(outcome, undefined, 2),
    '',
  ].join('\n');
}

/**
 * How it ended, where that was recorded; else the code that says nothing, to see what the stream
 * alone tells.
 */
function getEnd(name: string): Pick<StreamEnd, 'code' | 'lastText'> {
  const file = path.join(recorded, `${name}.end.json`);
  if (!existsSync(file)) return {code: 0};
  const {code, errors} = JSON.parse(readFileSync(file, 'utf8')) as StreamEnding;
  const lastText = errors.at(-1);
  return {code, ...(lastText !== undefined && {lastText})};
}

describe('a stream that a real agent printed is read, shown and concluded:', () => {
  // A time of day without a zone is in the machine's zone.
  useTimeZone('UTC');
  for (const name of names) {
    test(name, () => {
      const file = path.join(goldens, `${name}.txt`);
      const actual = toGolden(name);
      if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, actual);
      assert.equal(
        actual,
        existsSync(file) ? readFileSync(file, 'utf8') : '',
        `${file} differs; UPDATE_GOLDENS=1 rewrites it`,
      );
    });
  }
});

test('every agent was recorded at work, planning, resumed, without its conversation, without an account, at a limit and with too long a conversation', () => {
  for (const agent of ['claude', 'codex', 'gemini', 'opencode', 'pi']) {
    for (const log of ['work', 'plan', 'resume', 'lost', '401', 'limit', 'too-long'])
      assert.ok(names.includes(`${agent}-${log}`), `${agent}-${log}`);
  }
});

test('a stream that is cut after any line is never a success', () => {
  for (const name of names.filter((one) => one.endsWith('-work'))) {
    const driver = findDriver(name);
    const lines = readFileSync(path.join(recorded, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    const whole = readAs(driver, lines.join('\n'));
    const isDone = (events: readonly StreamEvent[]): boolean =>
      outcomeOfStream(events.reduce(foldStream, emptyStream), {
        agent: driver.name,
        account: '',
        code: 0,
        now: 0,
      }).at === 'finished';
    assert.equal(isDone(whole), true, name);
    const end = lines.findLastIndex((line) =>
      readAs(driver, line).some(({type}) => type === 'done'),
    );
    for (let count = 0; count < end; count += 1)
      assert.equal(
        isDone(readAs(driver, lines.slice(0, count).join('\n'))),
        false,
        `${name} after ${count} lines`,
      );
  }
});
