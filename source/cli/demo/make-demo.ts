import os from 'node:os';
import path from 'node:path';
import {execa} from 'execa';
import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {storeFiles, storeProject} from './store-files.ts';
import {storeObjective, storePlaybook} from './store-playbook.ts';

export type Demo = {
  readonly home: string;
  readonly root: string;
  readonly playbook: string;
  /** The text of the playbook. */
  readonly text: string;
  readonly objective: string;
};

export type DemoOptions = {
  /** Multiplies every pause of the playbook. @default 1, for people to watch */
  readonly pace?: number;
  /** Where its directory is made. @default the temporary directory */
  readonly directory?: string;
};

/** Creates a repository with one commit in the temporary directory. */
export async function makeDemo(
  env: Readonly<Record<string, string | undefined>>,
  {pace = 1, directory = os.tmpdir()}: DemoOptions = {},
): Promise<Demo> {
  const home = realpathSync(mkdtempSync(path.join(directory, 'orchestra-demo-')));
  const root = path.join(home, 'store');
  const files = {...storeFiles, '.orchestra/project.yaml': storeProject(await freePort())};
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), {recursive: true});
    writeFileSync(full, content);
  }

  const playbook = path.join(home, 'playbook.yaml');
  const text = storePlaybook(pace);
  writeFileSync(playbook, text);
  const git = (...argv: readonly string[]): Promise<unknown> =>
    execa('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org', ...argv], {
      cwd: root,
      env,
      extendEnv: false,
      stdio: 'ignore',
    });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Demo');
  await git('config', 'user.email', 'demo@example.org');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'A store that takes orders');
  return {home, root, playbook, text, objective: storeObjective};
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
