// Bundles source/ into dist/: a launcher that any Node can parse, and the program in lazily loaded pieces.
import {readFileSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {type BuildOptions, build} from 'esbuild';
import {doorsCostNothing} from './build/doors-cost-nothing.ts';
import {loadedLater} from './build/loaded-later.ts';
import {plainBuiltins} from './build/plain-builtins.ts';
import {withoutDevtools} from './build/without-devtools.ts';

const root = path.join(import.meta.dirname, '..');
/** What is there now stays until the new one is whole. */
const place = path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist'));
const dist = `${place}.${process.pid}`;
const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {version: string};

/** What `attach` may need later, by file name in both builds. */
const later = ['run-command-line', 'start-daemon', 'draw-late', 'create-answering'];

const program: BuildOptions = {
  outdir: dist,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.12',
  external: ['node-pty'],
  plugins: [doorsCostNothing(path.join(root, 'source')), plainBuiltins(), withoutDevtools()],
  // React for development takes a quarter longer to draw: 9 ms of processor time for a whole chrome, not 7.
  define: {ORCHESTRA_VERSION: JSON.stringify(version), 'process.env.NODE_ENV': '"production"'},
  // Bundled CommonJS packages (commander) ask for Node's own modules through require.
  banner: {js: "import {createRequire as orchestraRequire} from 'node:module';const require=orchestraRequire(import.meta.url);"},
  legalComments: 'linked',
  logLevel: 'warning',
};

rmSync(dist, {recursive: true, force: true});
await build({
  ...program,
  entryPoints: [{in: path.join(root, 'source/cli.ts'), out: 'cli'}, ...later.map((name) => ({in: path.join(root, `source/commands/${name}.ts`), out: name}))],
  splitting: true,
});
// The same once more for `attach`, in one file: finding and linking twenty pieces takes as long as all the rest of its start.
await build({...program, entryPoints: [{in: path.join(root, 'source/cli.ts'), out: 'attach'}], plugins: [...(program.plugins ?? []), loadedLater(later)]});
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
  external: ['./cli.js', './attach.js'],
  platform: 'node',
  format: 'esm',
  target: 'es2018',
  supported: {'dynamic-import': true, 'import-meta': true},
  banner: {js: '#!/usr/bin/env node'},
  logLevel: 'warning',
});
rmSync(place, {recursive: true, force: true});
renameSync(dist, place);
