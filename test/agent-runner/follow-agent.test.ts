import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createDaemonFixture, ends, init, show} from './support/pretend.ts';
import {inboxFiles, parseInboxResult} from '../../source/agents/index.ts';

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
