import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState, type State} from '../../../source/domain/index.ts';
import {
  createTitleSelector,
  hasWindowTitle,
  selectWindowTitle,
} from '../../../source/app/select/window-title.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';
import {busy, done, nothingYet, open, planned} from '../screens/fixtures.ts';

const signs = signsFor({env: {LANG: 'C.UTF-8'}, setting: 'auto'});

function titleOf({state, time}: {readonly state: State; readonly time: number}): string {
  return selectWindowTitle(open(state, time).model, state, signs);
}

describe('the title of the window', () => {
  test('names the repository, and what needs the person first', () => {
    const nothing = nothingYet();
    assert.equal(titleOf({state: nothing.state, time: nothing.now}), 'token-service · orchestra');
    assert.match(titleOf(planned()), /^▲1 token-service · orchestra$/);
    assert.match(titleOf(busy()), /^▲\d token-service · orchestra$/);
    assert.equal(titleOf(done()), '✓ token-service · orchestra');
  });

  test('says nothing of needs before the daemon has answered', () => {
    const {state, time} = planned();
    const {model} = open(state, time);
    assert.equal(
      selectWindowTitle({...model, connection: {at: 'connecting'}}, state, signs),
      'token-service · orchestra',
    );
  });

  test('is safe and short, whatever the directory is called', () => {
    const name = `evil\u0007\u001B]0;owned\u001B\\\u202E${'x'.repeat(500)}`;
    const {model} = open(emptyState, 0, undefined, undefined, {name});
    const title = selectWindowTitle(model, emptyState, signs);
    assert.doesNotMatch(title, /[\0-\u001F\u007F-\u009F\u202E]/);
    assert.ok(title.length < 80, title);
  });

  test('is ASCII where the signs are', () => {
    const {state, time} = planned();
    const ascii = signsFor({env: {}, setting: 'ascii'});
    assert.equal(
      selectWindowTitle(open(state, time).model, state, ascii),
      '!1 token-service - orchestra',
    );
  });

  test('is made once for each state', () => {
    const {state, time} = planned();
    const select = createTitleSelector({LANG: 'C.UTF-8'});
    const {model} = open(state, time);
    assert.equal(select(model, state), '▲1 token-service · orchestra');
    assert.equal(select(model, emptyState), 'token-service · orchestra');
  });
});

test('only terminals with a window have one', () => {
  for (const term of ['xterm-256color', 'tmux-256color', 'screen', 'xterm-kitty', 'foot'])
    assert.equal(hasWindowTitle({TERM: term}), true, term);
  for (const term of ['dumb', 'linux', 'linux-16color', 'vt100', ''])
    assert.equal(hasWindowTitle({TERM: term}), false, term);
  assert.equal(hasWindowTitle({}), false);
});
