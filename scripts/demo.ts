// `npm run demo`: what there is, on this machine. Builds first (npm runs `predemo`).
import {spawnSync} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.join(import.meta.dirname, '..');
const orchestra = path.join(root, 'dist', 'orchestra.js');

const shows: readonly [string, readonly string[]][] = [
  ['This machine: orchestra doctor', [orchestra, 'doctor']],
  ['The rules file: orchestra rules check .rulesfile.example.md', [orchestra, 'rules', 'check', '.rulesfile.example.md']],
  ['Sessions that outlive everything', [path.join(root, 'scripts', 'demo-sessions.ts')]],
  ['The loop, rehearsed: npm run rehearse', ['--import', 'tsx', path.join(root, 'scripts', 'rehearse.ts')]],
];

for (const [title, argv] of shows) {
  process.stdout.write(`\n── ${title} ${'─'.repeat(Math.max(0, 76 - title.length))}\n\n`);
  const {status} = spawnSync(process.execPath, argv, {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}
