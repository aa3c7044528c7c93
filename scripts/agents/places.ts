import os from 'node:os';
import path from 'node:path';
import {existsSync} from 'node:fs';
import {type AgentVersion, versions} from './versions.ts';

/** Where the real CLIs are put: a cache of the user, outside of any repository. */
export function getCache(env: Readonly<Record<string, string | undefined>>): string {
  return (
    env['ORCHESTRA_AGENTS'] ??
    path.join(env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'orchestra-agents')
  );
}

export function getPlace({name, version}: AgentVersion, cache: string): string {
  return path.join(cache, `${name}-${version}`);
}

/** The program of an installed agent. Throws with the command that installs it. */
export function getProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const agent = versions.find((one) => one.name === name);
  if (agent === undefined)
    throw new Error(`expected one of ${versions.map((one) => one.name).join(', ')}, got ${name}`);
  const program = path.join(getPlace(agent, getCache(env)), 'node_modules', '.bin', name);
  if (!existsSync(program))
    throw new Error(
      `expected ${agent.npmPackage}@${agent.version} at ${program}, got nothing. Run \`node scripts/agents/install.ts ${name}\` (it needs the npm registry), then try again.`,
    );
  return program;
}
