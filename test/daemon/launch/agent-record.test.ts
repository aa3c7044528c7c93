import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {findDriver} from '../../../source/agents/index.ts';
import {readAdoptedUsage, toAdopted} from '../../../source/daemon/launch/agent-record.ts';
import {agentStateFor} from '../../../source/daemon/launch/agent-state.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';

const conversation = '0a1b2c3d-0000-4000-8000-000000000000';
const record = path.join('projects', '-w-app', `${conversation}.jsonl`);
const answer = JSON.stringify({
  type: 'assistant',
  message: {
    id: 'm1',
    role: 'assistant',
    content: [],
    usage: {input_tokens: 100, output_tokens: 20},
  },
});

type Stage = {
  /** The person's own record. */
  readonly theirs: string;
  /** The task's copy of it. */
  readonly copy: string;
  readonly state: string;
  readonly launch: (name?: string) => void;
};

function createStage(t: TestContext): Stage {
  const root = temporaryDirectory(t);
  const [home, stateDirectory] = [path.join(root, 'home'), path.join(root, 's')];
  const theirs = path.join(home, '.claude', record);
  mkdirSync(path.dirname(theirs), {recursive: true});
  writeFileSync(theirs, `${answer}\n`);
  const state = path.join(stateDirectory, 'agent-state', 'r1-t1');
  return {
    theirs,
    copy: path.join(state, '0-claude', 'projects', '-w-app-r1-t1', `${conversation}.jsonl`),
    state,
    launch: (name = conversation) => {
      const found = findDriver('claude', []);
      assert.ok('driver' in found);
      const {driver} = found;
      const adopted = toAdopted({home, env: {}}, driver, name, '/w/app/r1-t1');
      agentStateFor({stateDirectory}, 'r1.t1', {
        stateDirectories: driver.stateDirectories?.(home, {}) ?? [],
        settings: driver.settings?.(home, {}) ?? {files: [], directories: []},
        ...(adopted !== undefined && {adopted}),
      });
    },
  };
}

test("a person's conversation is copied once; what the task adds to it stays, and theirs is left alone", (t) => {
  const stage = createStage(t);
  stage.launch();
  assert.equal(readFileSync(stage.copy, 'utf8'), `${answer}\n`);
  const usage = readAdoptedUsage(stage.state, conversation);
  assert.deepEqual([usage?.input, usage?.output], [100, 20]);
  writeFileSync(stage.copy, 'more\n');
  stage.launch();
  assert.equal(readFileSync(stage.copy, 'utf8'), 'more\n');
  assert.equal(readFileSync(stage.theirs, 'utf8'), `${answer}\n`);
});

test('a copy that a crash cut short is made again', (t) => {
  const stage = createStage(t);
  stage.launch();
  rmSync(path.join(stage.state, 'adopted.json'));
  writeFileSync(stage.copy, 'half');
  stage.launch();
  assert.equal(readFileSync(stage.copy, 'utf8'), `${answer}\n`);
});

test('a conversation that is not there, or only a link, is not copied', (t) => {
  const stage = createStage(t);
  stage.launch('ffffffff-0000-4000-8000-000000000000');
  assert.equal(existsSync(path.dirname(stage.copy)), false);
  const elsewhere = path.join(path.dirname(stage.state), 'secret');
  writeFileSync(elsewhere, answer);
  rmSync(stage.theirs);
  symlinkSync(elsewhere, stage.theirs);
  stage.launch();
  assert.equal(existsSync(path.dirname(stage.copy)), false);
});

test('a note that is no note says nothing about usage', (t) => {
  const stage = createStage(t);
  stage.launch();
  const note = path.join(stage.state, 'adopted.json');
  for (const text of ['', 'null', '[]', '{', '{"conversation": 3}']) {
    writeFileSync(note, text);
    assert.equal(readAdoptedUsage(stage.state, conversation), undefined, text);
  }
});
