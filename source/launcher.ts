// Runs on any Node that can load a module, so that an old one prints a message and not a syntax
// error:
// no import of ours and no syntax newer than ES2018 before the version was checked.
// Node's own modules are loaded only where needed: each costs milliseconds at every start.
const needed = {major: 22, minor: 12};

if (isRecentEnough(process.versions.node)) {
  // The most frequent commands, and the start of the app, are in one file: it loads faster.
  const cli =
    process.argv.length === 2 ||
    ['--version', '-V', 'attach', 'sessions', 'status', 'port'].includes(process.argv[2] ?? '')
      ? './cli-single.js'
      : './cli.js';
  (import(cli) as Promise<{readonly main: () => Promise<void>}>).then(
    (loaded) => loaded.main(),
    (error: unknown) => {
      process.stderr.write(
        'orchestra: could not load its own program: ' +
          String(error) +
          '\nReinstall the package (npm install --global orchestra-tui).\n',
      );
      process.exitCode = 2;
    },
  );
} else {
  void handOver();
}

function isRecentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed.major || (major === needed.major && minor >= needed.minor);
}

/**
 * Runs a newer Node if one is installed beside us: the npm package `node`, in our own node_modules
 * or our parent's.
 */
async function handOver(): Promise<void> {
  const [{spawnSync}, {existsSync}, path, {fileURLToPath}] = await Promise.all([
    import('node:child_process'),
    import('node:fs'),
    import('node:path'),
    import('node:url'),
  ]);
  const directory = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [
    path.join(directory, '..', 'node_modules', 'node', 'bin', 'node'),
    path.join(directory, '..', '..', 'node', 'bin', 'node'),
  ];
  const newer = candidates.find((candidate) => existsSync(candidate));
  if (newer === undefined || process.env['ORCHESTRA_HANDED_OVER'] === '1') {
    process.stderr.write(
      'orchestra needs Node.js ' +
        String(needed.major) +
        '.' +
        String(needed.minor) +
        ' or newer; this is ' +
        process.version +
        ' (' +
        process.execPath +
        ').\n' +
        'Install a newer Node.js (https://nodejs.org), or put one beside orchestra: npm install --global node@24\n',
    );
    process.exitCode = 2;
    return;
  }

  const result = spawnSync(newer, process.argv.slice(1), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, {ORCHESTRA_HANDED_OVER: '1'}),
  });
  if (result.signal) process.kill(process.pid, result.signal);
  process.exitCode = result.status ?? 2;
}
