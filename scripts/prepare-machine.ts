// Before the tests: installs bubblewrap, tmux, iproute2 and python3 where that is possible without asking anybody. Never fails; the tests that need them say so.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';

console.log(
  `sandbox: ${process.platform === 'linux' ? prepare('bubblewrap', 'bwrap') : 'bubblewrap is for Linux; its tests cannot pass here'}`,
);
console.log(`terminal: ${prepare('tmux', 'tmux')}`);
if (process.platform === 'linux')
  console.log(
    `who asks: ${prepare('iproute2', 'ss')}; a connection that is given away: ${prepare('python3', 'python3')}`,
  );

function prepare(name: string, program: string): string {
  const isInstalled = (): boolean =>
    ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((directory) =>
      existsSync(`${directory}/${program}`),
    );
  if (isInstalled()) return `${name} is installed`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return `${name} is missing and its tests will fail; install the package ${name} (apt, dnf, pacman, apk)`;
  const install = (): boolean => run('install', '--yes', '--no-install-recommends', name);
  // The lists of packages may be too old, or not there at all.
  if ((install() || (run('update') && install())) && isInstalled())
    return `${name} was installed with apt-get`;
  return `${name} could not be installed and its tests will fail; try: apt-get update && apt-get install ${name}`;
}

function run(...argv: readonly string[]): boolean {
  const {status} = spawnSync('/usr/bin/apt-get', argv, {
    env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'},
    stdio: 'ignore',
    timeout: 180_000,
  });
  return status === 0;
}
