// Runs on any Node that can load a module, so that an old one gets an answer and not a syntax error:
// no import of ours, no syntax newer than ES2018, before the version is known to be good.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const needed = {major: 22, minor: 12};
const here = dirname(fileURLToPath(import.meta.url));

if (isRecentEnough(process.versions.node)) {
  const cli = './cli.js';
  (import(cli) as Promise<{readonly main: () => Promise<void>}>).then(
    (loaded) => loaded.main(),
    (error: unknown) => {
      process.stderr.write('orchestra: could not load its own program: ' + String(error) + '\nReinstall the package (npm install --global orchestra-tui).\n');
      process.exitCode = 2;
    },
  );
} else {
  handOver();
}

function isRecentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed.major || (major === needed.major && minor >= needed.minor);
}

/** A newer Node may stand beside us: the npm package `node`, in our own node_modules or our parent's. */
function handOver(): void {
  const candidates = [join(here, '..', 'node_modules', 'node', 'bin', 'node'), join(here, '..', '..', 'node', 'bin', 'node')];
  const newer = candidates.find((candidate) => existsSync(candidate));
  if (newer === undefined || process.env['ORCHESTRA_HANDED_OVER'] === '1') {
    process.stderr.write(
      'orchestra needs Node.js ' + String(needed.major) + '.' + String(needed.minor) + ' or newer; this is ' + process.version + ' (' + process.execPath + ').\n' +
        'Install a newer Node.js (https://nodejs.org), or put one beside orchestra: npm install --global node@24\n',
    );
    process.exitCode = 2;
    return;
  }

  const result = spawnSync(newer, process.argv.slice(1), {stdio: 'inherit', env: Object.assign({}, process.env, {ORCHESTRA_HANDED_OVER: '1'})});
  if (result.signal) process.kill(process.pid, result.signal);
  process.exitCode = result.status ?? 2;
}
