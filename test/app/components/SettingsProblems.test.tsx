import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SettingsProblems} from '../../../source/app/components/SettingsProblems.tsx';
import {nothingYet, open} from '../screens/fixtures.ts';
import {assertSafe, hostile, textOf} from './render.tsx';

const withKeys = (keys: object) =>
  open(nothingYet().state, nothingYet().now, undefined, {settings: {keys}});

test('is nothing as long as the settings are sound', () => {
  assert.equal(textOf(<SettingsProblems />), '');
});

test('says which keys are ignored and why, the first two, and how many more', () => {
  const text = textOf(<SettingsProblems />, {
    columns: 80,
    fixture: withKeys({'no.such': 'x', 'not.this': 'y', 'nor.that': 'z', 'or.more': 'q'}),
  });
  assert.match(text, /! keys\.no\.such is ignored: /);
  assert.match(text, /! keys\.not\.this is ignored: /);
  assert.doesNotMatch(text, /nor\.that/);
  assert.match(text, /and 2 more: orchestra settings keys lists all/);
});

test('says why the file cannot be read, and nothing of keys then', () => {
  const fixture = withKeys({'no.such': 'x'});
  const {repository} = fixture.model;
  fixture.model = {
    ...fixture.model,
    repository: {...repository, settingsProblem: 'settings.json: line 3 is no JSON'},
  };
  const text = textOf(<SettingsProblems />, {columns: 60, fixture});
  assert.match(text, /! settings\.json: line 3 is no JSON/);
  assert.doesNotMatch(text, /no\.such/);
});

test('is safe with any name of a key', () => {
  assertSafe(<SettingsProblems />, {columns: 60, fixture: withKeys({[hostile]: 'x'})});
});
