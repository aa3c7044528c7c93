// `npm run setup:machine` installs what the tests need beside Node: bubblewrap, tmux, iproute2,
// python3 (with apt-get, as root).
// `npm test` calls it with --check, which only says what is missing and never installs anything.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';

type Need = {readonly program: string; readonly name: string; readonly for: string};

const needs: readonly Need[] = [
  {program: 'tmux', name: 'tmux', for: 'tests of the app in a terminal'},
  ...(process.platform === 'linux'
    ? [
        {program: 'bwrap', name: 'bubblewrap', for: 'tests of the sandbox'},
        {program: 'ss', name: 'iproute2', for: 'tests of who asks'},
        {program: 'python3', name: 'python3', for: 'tests of given-away connections'},
      ]
    : []),
];

const missing = needs.filter(({program}) => !isInstalled(program));
if (missing.length > 0 && process.argv.includes('--check')) {
  for (const need of missing) console.log(`missing: ${need.name}; ${need.for} are skipped`);
  console.log('`npm run setup:machine` installs what is missing.');
} else if (missing.length > 0) {
  install(missing.map(({name}) => name));
  const left = needs.filter(({program}) => !isInstalled(program)).map(({name}) => name);
  console.log(
    left.length === 0
      ? `installed: ${missing.map(({name}) => name).join(', ')}`
      : `could not install ${left.join(', ')}; install these packages yourself (apt, dnf, pacman, apk, brew)`,
  );
  if (left.length > 0) process.exitCode = 1;
} else console.log(`everything is there: ${needs.map(({name}) => name).join(', ')}`);

function isInstalled(program: string): boolean {
  const directories = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  return directories.some((directory) => existsSync(`${directory}/${program}`));
}

function install(names: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const argv = ['install', '--yes', '--no-install-recommends', ...names];
  // The lists of packages may be too old, or absent.
  if (!aptGet(argv) && aptGet(['update'])) aptGet(argv);
}

function aptGet(argv: readonly string[]): boolean {
  const {status} = spawnSync('/usr/bin/apt-get', argv, {
    env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'},
    stdio: 'ignore',
    timeout: 180_000,
  });
  return status === 0;
}
