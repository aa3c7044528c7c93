import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {demoFiles, demoPlaybook, demoProject} from './demo-repository.ts';

export type Demo = {
  readonly home: string;
  readonly root: string;
  readonly playbook: string;
  readonly objective: string;
};

/** A repository of its own in the temporary folder, with a history of one commit. */
export async function makeDemo(env: Readonly<Record<string, string | undefined>>): Promise<Demo> {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-demo-')));
  const root = path.join(home, 'till');
  const files = {...demoFiles, '.orchestra/project.yaml': demoProject(await freePort())};
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), {recursive: true});
    writeFileSync(full, text);
  }

  const playbook = path.join(home, 'playbook.yaml');
  writeFileSync(playbook, demoPlaybook);
  const git = (...argv: readonly string[]): void =>
    void execFileSync(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org', ...argv],
      {cwd: root, env, stdio: 'ignore'},
    );
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Demo');
  git('config', 'user.email', 'demo@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A till that adds up receipts');
  return {
    home,
    root,
    playbook,
    objective: 'Charge whole cents, and show prices with their currency',
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
