import assert from 'node:assert/strict';
import process from 'node:process';
import {existsSync, mkdirSync} from 'node:fs';
import type {Driver} from '../../../../source/agents/index.ts';
import {agentStateFor} from '../../../../source/daemon/launch/agent-state.ts';
import {inspectPath} from '../../../../source/system/index.ts';
import {sandboxed} from '../../../../source/sandbox/index.ts';

export type Confinement = {
  readonly driver: Driver;
  readonly directory: string;
  readonly exchange: string;
  readonly home: string;
  readonly temporary: string;
  readonly mode: string;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * The command in our sandbox, with what its driver says that it needs and nothing else, as the
 * daemon does it: what is sealed and not there is an empty file.
 */
export function confined(
  argv: readonly string[],
  {driver, directory, exchange, home, temporary, mode, env}: Confinement,
): readonly string[] {
  const bwrap = '/usr/bin/bwrap';
  assert.ok(
    existsSync(bwrap),
    'expected bubblewrap at /usr/bin/bwrap, got nothing. Install the package bubblewrap, then try again.',
  );
  mkdirSync(temporary, {recursive: true});
  const own = {
    stateDirectories: driver.stateDirectories?.(home, env) ?? [],
    settings: driver.settings?.(home, env) ?? {files: [], directories: []},
  };
  const {bound, sealed} = agentStateFor(
    {stateDirectory: `${home}.state`},
    mode === 'plan' ? 'r1.plan' : 'r1.t1',
    own,
    argv,
  );
  const isPlan = mode === 'plan';
  return sandboxed(
    {argv, cwd: directory},
    {
      kind: isPlan ? 'read-only' : 'worktree',
      writable: [...(isPlan ? [] : [directory]), exchange, temporary],
      hidden: [`${home}.state`],
      bound,
      sealed,
      temporary,
    },
    {bwrap, uid: process.getuid?.() ?? 0, look: inspectPath, can: {processes: true, layers: false}},
  );
}
