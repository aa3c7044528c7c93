import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {drivers} from '../../source/agents/index.ts';

const goldens = path.join(import.meta.dirname, 'goldens/interactive');
const readGolden = (name: string): string => readFileSync(path.join(goldens, name), 'utf8');
const interactive = drivers.flatMap(({name, interactive: one}) =>
  one === undefined ? [] : [{name, ...one}],
);

describe('signals of an agent in its own interface', () => {
  for (const name of ['claude', 'opencode', 'pi'])
    test(`${name}: three turns of one conversation, as recorded`, () => {
      const {parseSignal} = interactive.find((one) => one.name === name) ?? assert.fail(name);
      const signals = readGolden(`${name}.signals.jsonl`)
        .split('\n')
        .flatMap((line) => parseSignal(line) ?? []);
      const ends = signals.filter(({kind}) => kind === 'turn-ended');
      assert.deepEqual(
        ends.map(({words}) => words),
        ['There it is.', 'The word was swordfish.', 'On I go.'],
      );
      assert.equal(new Set(ends.map(({conversation}) => conversation)).size, 1);
      assert.equal(signals.filter(({kind}) => kind === 'turn-began').length, 3);
    });

  for (const name of ['claude', 'pi'])
    test(`${name}: usage and last text of its record`, () => {
      const {transcript} = interactive.find((one) => one.name === name) ?? assert.fail(name);
      const {usage, words} = transcript?.parse(readGolden(`${name}.transcript.jsonl`)) ?? {};
      assert.deepEqual([usage?.input, usage?.output, words], [400, 80, 'On I go.']);
    });

  for (const {name, parseSignal, transcript} of interactive)
    test(`${name}: hostile lines mean nothing and never throw`, () => {
      for (const line of ['', '{', '[]', 'null', '1', '{"signal":{}}', '{"hook_event_name":[]}'])
        assert.equal(parseSignal(line), undefined, line);
      for (const text of ['', '{', '[]\nnull\n{"type":"assistant","message":[]}', '\0'])
        assert.doesNotThrow(() => transcript?.parse(text), text);
    });
});
