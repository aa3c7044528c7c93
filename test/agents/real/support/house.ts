import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type {TestContext} from 'node:test';
import {cacheOf, programOf} from '../../../../scripts/agents/places.ts';
import {driverOf, terminalArgvOf} from '../../../../source/agents/index.ts';
import {createPlace, type Place} from '../../../daemon/support/place.ts';
import {type ModelServer, createModelServer} from '../../model-server/model-server.ts';
import type {Script} from '../../model-server/script.ts';
import {homes} from './homes.ts';

/** A repository with its own daemon, a clean home, and one real agent whose model is scripted. Gone when the test is over. */
export type House = {
  readonly place: Place;
  readonly server: ModelServer;
  readonly model: string;
  /** How a person starts the agent. */
  readonly argv: readonly string[];
};

export async function createHouse(
  t: TestContext,
  name: string,
  script: (directory: string) => Script,
): Promise<House> {
  const program = programOf(name, process.env);
  // Not under the temp directory: codex refuses to have its home there.
  const stages = path.join(cacheOf(process.env), 'stages');
  mkdirSync(stages, {recursive: true});
  const home = realpathSync(mkdtempSync(path.join(stages, `${name}-home-`)));
  let answer: Script = () => ({text: 'Not yet.'});
  const server = await createModelServer((asked) => answer(asked));
  t.after(server.close);
  const first = homes[name]?.(home, server.url, '/nonexistent') ?? assert.fail(name);
  const found = driverOf(name, []);
  assert('driver' in found);
  const command = found.driver.commandOf({
    mode: 'takeover',
    directory: home,
    prompt: '',
    promptFile: '',
    outcomeFile: path.join(home, 'outcome.json'),
    model: first.model,
  });
  assert('argv' in command);
  for (const {path: file, text} of command.files ?? []) writeFileSync(file, text);
  const place = createPlace(t, {
    HOME: home,
    PATH: `${path.dirname(program)}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    ...command.env,
    ...first.env,
  });
  // Only after the place is closed: what still lives there would write it anew.
  t.after(() => {
    rmSync(home, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  });
  // Which folder is trusted is part of some homes, and the folder is known only now.
  const {model} = homes[name]?.(home, server.url, realpathSync(place.root)) ?? assert.fail(name);
  if (name === 'opencode') askFirst(path.join(home, '.config', 'opencode', 'opencode.json'));
  answer = script(realpathSync(place.root));
  writeFileSync(path.join(place.root, 'a.txt'), 'one\n');
  execFileSync('git', ['add', '--all'], {cwd: place.root, env: place.env});
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'start'],
    {cwd: place.root, env: place.env},
  );
  return {place, server, model, argv: terminalArgvOf(command, [program])};
}

/** It asks for nothing unless it is told to. */
function askFirst(file: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({...settings, permission: {edit: 'ask', bash: 'ask'}}));
}
