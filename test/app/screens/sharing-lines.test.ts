import assert from 'node:assert/strict';
import {test} from 'node:test';
import {textOfLine} from '../../../source/app/model/line.ts';
import {sharingLines} from '../../../source/app/screens/sharing-lines.ts';
import {happen, nothingYet, open, press} from './fixtures.ts';

const directory = {
  path: 'node_modules',
  tool: 'Node packages',
  isShared: false,
  bytes: 272e6,
  files: 31_000,
  isCut: false,
  ways: [
    {how: 'hard-link', ms: 900},
    {how: 'copy', ms: 4200},
  ],
};

test('dependencies that tasks would not have are told where an objective is written, and one key shares them', () => {
  const {state, now} = nothingYet();
  const fixture = open(state, now);
  press(fixture, 'escape', 'S');
  assert.deepEqual(
    fixture.effects
      .filter(({type}) => type === 'ask')
      .map((effect) => ('name' in effect ? effect.name : '')),
    ['skills', 'sharing', 'repository'],
  );
  assert.deepEqual(sharingLines(fixture.model, 'start', 100), []);

  happen(fixture, {
    type: 'answered',
    name: 'sharing',
    value: {directories: [directory], hasSetup: false},
  });
  assert.deepEqual(sharingLines(fixture.model, 'start', 200).map(textOfLine), [
    '  ! Tasks will not have node_modules (Node packages, 272 MB in 31000 files): a copy about 4 s; hard links about 0.9 s',
    '    S gives each its own; written into .orchestra/project.yaml',
  ]);
  fixture.now += 60_000;
  press(fixture, 'S');
  assert.deepEqual(fixture.effects.at(-1), {
    type: 'ask',
    name: 'share',
    question: {about: 'share', paths: ['node_modules']},
  });
  happen(fixture, {type: 'refused', name: 'share', text: 'only a person may'});
  assert.match(fixture.model.notice?.text ?? '', /only a person may/);
  happen(fixture, {type: 'answered', name: 'share', value: {added: ['node_modules']}});
  assert.deepEqual(
    [fixture.model.notice?.tone, fixture.effects.at(-1)],
    ['good', {type: 'ask', name: 'sharing', question: {about: 'dependencies'}}],
  );

  happen(fixture, {
    type: 'answered',
    name: 'sharing',
    value: {directories: [directory], hasSetup: true},
  });
  assert.deepEqual(sharingLines(fixture.model, 'start', 100), []);
});
