// Bundles source/ into dist/: a launcher that any Node can parse, and the program in lazily loaded pieces.
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {build} from 'esbuild';
import {doorsCostNothing} from './build/doors-cost-nothing.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {version: string};

rmSync(dist, {recursive: true, force: true});
await build({
  entryPoints: [path.join(root, 'source/cli.ts')],
  outdir: dist,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.12',
  external: ['node-pty'],
  plugins: [doorsCostNothing(path.join(root, 'source'))],
  define: {ORCHESTRA_VERSION: JSON.stringify(version)},
  // Bundled CommonJS packages (commander) ask for Node's own modules through require.
  banner: {js: "import {createRequire as orchestraRequire} from 'node:module';const require=orchestraRequire(import.meta.url);"},
  legalComments: 'linked',
  logLevel: 'warning',
});
// One per session: it loads nothing that it does not need, and as CommonJS takes 1 MB less than as a module.
await build({
  entryPoints: {keeper: path.join(root, 'source/keeper/main.ts')},
  outdir: dist,
  outExtension: {'.js': '.cjs'},
  define: {'import.meta.url': '__filename'},
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.12',
  external: ['node-pty'],
  plugins: [doorsCostNothing(path.join(root, 'source'))],
  logLevel: 'warning',
});
await build({
  entryPoints: {orchestra: path.join(root, 'source/launcher.ts')},
  outdir: dist,
  bundle: true,
  external: ['./cli.js'],
  platform: 'node',
  format: 'esm',
  target: 'es2018',
  supported: {'dynamic-import': true, 'import-meta': true},
  banner: {js: '#!/usr/bin/env node'},
  logLevel: 'warning',
});
