// Installs the real agent CLIs into a cache outside of the repository: all of them, or those that
// are named.
import path from 'node:path';
import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {getCache, getPlace} from './places.ts';
import {type AgentVersion, versions} from './versions.ts';

const cache = getCache(process.env);
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !versions.some((agent) => agent.name === name));
if (unknown !== undefined) {
  console.error(`expected ${versions.map(({name}) => name).join(', ')}, got ${unknown}`);
  process.exit(2);
}

let failures = 0;
for (const agent of versions.filter(({name}) => wanted.length === 0 || wanted.includes(name)))
  failures += install(agent) ? 0 : 1;
process.exit(failures === 0 ? 0 : 1);

function install(agent: AgentVersion): boolean {
  const place = getPlace(agent, cache);
  if (existsSync(path.join(place, 'node_modules', '.bin', agent.name))) {
    console.log(`${agent.name} ${agent.version}: there already (${place})`);
    return true;
  }

  // Half an install under the final name would be taken for a whole one.
  const half = `${place}.${process.pid}`;
  rmSync(half, {recursive: true, force: true});
  mkdirSync(half, {recursive: true});
  writeFileSync(
    path.join(half, 'package.json'),
    JSON.stringify({
      private: true,
      ...(agent.scripts && {allowScripts: {[agent.npmPackage]: true}}),
    }),
  );
  console.log(`${agent.name} ${agent.version}: installing ${agent.npmPackage} …`);
  const {status} = spawnSync(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${agent.npmPackage}@${agent.version}`,
    ],
    {cwd: half, stdio: 'inherit'},
  );
  if (status !== 0) {
    rmSync(half, {recursive: true, force: true});
    console.error(`${agent.name}: npm could not install it (exit code ${status})`);
    return false;
  }

  rmSync(place, {recursive: true, force: true});
  renameSync(half, place);
  return true;
}
