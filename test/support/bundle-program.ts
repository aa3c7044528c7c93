import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {mkdtempSync, rmSync} from 'node:fs';
import {build} from 'esbuild';

const root = path.join(import.meta.dirname, '../..');

/**
 * A program of the tests, such as `test/playbook-agent/programs/play.ts`, as one file that starts
 * fast. Gone when the tests are.
 */
export async function bundleProgram(program: string): Promise<string> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-test-'));
  process.on('exit', () => {
    rmSync(directory, {recursive: true, force: true});
  });
  const outfile = path.join(directory, `${path.basename(program, '.ts')}.mjs`);
  await build({
    entryPoints: [path.join(root, program)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.12',
    // The package yaml asks for Node's own modules through require.
    banner: {
      js: "import {createRequire} from 'node:module';const require=createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
