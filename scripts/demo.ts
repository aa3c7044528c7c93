// `npm run demo`: the whole loop on the built-in agent, in a repository that is made for it. Builds
// first (npm runs `predemo`).
import path from 'node:path';
import process from 'node:process';
import {spawnSync} from 'node:child_process';

const root = path.join(import.meta.dirname, '..');
const {status} = spawnSync(
  process.execPath,
  [path.join(root, 'dist', 'orchestra.js'), 'demo', '--headless'],
  {cwd: root, stdio: 'inherit'},
);
process.exit(status ?? 1);
