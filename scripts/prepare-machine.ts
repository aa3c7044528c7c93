// Before the tests: installs bubblewrap where that is possible without asking anybody. Never fails; the tests that need it say so.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';

console.log(`sandbox: ${prepare()}`);

function prepare(): string {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux; its tests cannot pass here';
  const isInstalled = (): boolean => ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].some((file) => existsSync(file));
  if (isInstalled()) return 'bubblewrap is installed';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return 'bubblewrap is missing and its tests will fail; install the package bubblewrap (apt, dnf, pacman, apk)';
  const install = (): boolean => run('install', '--yes', '--no-install-recommends', 'bubblewrap');
  // The lists of packages may be too old, or not there at all.
  if ((install() || (run('update') && install())) && isInstalled()) return 'bubblewrap was installed with apt-get';
  return 'bubblewrap could not be installed and its tests will fail; try: apt-get update && apt-get install bubblewrap';
}

function run(...argv: readonly string[]): boolean {
  const {status} = spawnSync('/usr/bin/apt-get', argv, {env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'}, stdio: 'ignore', timeout: 180_000});
  return status === 0;
}
