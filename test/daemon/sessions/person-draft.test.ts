import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {drivers, type ScreenPatterns} from '../../../source/agents/index.ts';
import {
  parsePersonAtInput,
  type PersonAtInput,
} from '../../../source/daemon/sessions/person-draft.ts';

const patternsOf = (name: string): ScreenPatterns =>
  drivers.find((driver) => driver.name === name)?.screen ?? assert.fail(name);

/** A person typed something ten seconds ago and has not submitted it. */
const draft = {at: 0, draft: 14};

function look(name: string, promptLine: string, below: readonly string[] = []): PersonAtInput {
  return parsePersonAtInput(
    draft,
    {text: [promptLine, ...below], promptLine},
    patternsOf(name),
    10_000,
  );
}

describe("a person's text in an agent's input", () => {
  test('stands there as long as the screen does not show an empty input', () => {
    assert.equal(look('claude', '❯ half a thought'), 'draft');
    assert.equal(look('claude', '❯'), undefined);
    assert.equal(look('codex', '› half a thought'), 'draft');
    assert.equal(look('codex', '› Ask Codex to do anything'), undefined);
    assert.equal(look('gemini', ' > half a thought'), 'draft');
    assert.equal(look('gemini', ' >   Type your message or @path/to/file'), undefined);
  });

  test('is known by its keys alone where the prompt is shown with any text', () => {
    const below = ['───', '0.0%/200k (auto)'];
    assert.equal(look('pi', 'half a thought', below), 'draft');
    assert.equal(look('opencode', '┃  half a thought', ['tab agents  ctrl+p commands']), 'draft');
    const cleared = {at: 0, draft: 0};
    const screen = {text: ['', ...below], promptLine: ''};
    assert.equal(parsePersonAtInput(cleared, screen, patternsOf('pi'), 10_000), undefined);
  });

  test('holds a prompt for a moment after each key; without a count nothing does', () => {
    const screen = {text: ['❯'], promptLine: '❯'};
    assert.equal(
      parsePersonAtInput({at: 9000, draft: 0}, screen, patternsOf('claude'), 10_000),
      'typing',
    );
    assert.equal(parsePersonAtInput(undefined, screen, patternsOf('claude'), 10_000), undefined);
  });
});
