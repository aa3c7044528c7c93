// Bundles source/ into dist/: a launcher that any Node can parse, and the program in lazily loaded
// pieces.
import path from 'node:path';
import {createHash} from 'node:crypto';
import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {type BuildOptions, build} from 'esbuild';
import {metaName, toAsyncScript} from './build/async-script.ts';
import {builtinsOnDemand} from './build/builtins-on-demand.ts';
import {importDirectly} from './build/direct-imports.ts';
import {externalEntries} from './build/external-entries.ts';
import {exportsOf, lazyBundle} from './build/lazy-bundle.ts';

const root = path.join(import.meta.dirname, '..');
/** What is there now stays until the new one is whole. */
const place = path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist'));
const dist = `${place}.${process.pid}`;
const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};

/** What `attach` and the app may need later, by file name in all builds. */
const later = [
  'cli/run-command-line',
  'cli/start-daemon',
  'cli/render-snapshot',
  'cli/runs/propose',
  'cli/demo/start-demo',
  'cli/create-terminal-responder',
  'app/screens/highlight',
];
const laterNames = later.map((name) => path.basename(name));
/**
 * What the app needs for a plan that somebody edits, to look for problems in the rules and the
 * project file, and to keep a preference: YAML, schemas, a tokenizer.
 */
const rarelyUsed = [
  'plan/edit-plan-file.ts',
  'rules/check-rules.ts',
  'project-config/parse-project.ts',
  'config/save-preferences.ts',
].map((name) => path.join(root, 'source', name));

/** The emulator, which only panes need: 10 ms that the first frame does not wait for. */
const emulator = [path.join(root, 'source/terminal/create-emulator.ts')];

/**
 * The tokenizer's tables take 35 MB and a third of the daemon's start, and most daemons count
 * nothing.
 */
const counting = [path.join(root, 'source/shared/count-tokens.ts')];

const plugins = [
  lazyBundle('count-tokens.cjs', counting),
  importDirectly(path.join(root, 'source')),
  builtinsOnDemand(),
];

const program: BuildOptions = {
  outdir: dist,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.12',
  external: ['node-pty'],
  plugins,
  // React for development takes a quarter longer to draw: 9 ms of processor time for a whole
  // chrome, not 7.
  define: {ORCHESTRA_VERSION: JSON.stringify(version), 'process.env.NODE_ENV': '"production"'},
  // Bundled CommonJS packages (commander) ask for Node's own modules through require.
  banner: {
    js: "import {createRequire as orchestraRequire} from 'node:module';const require=orchestraRequire(import.meta.url);",
  },
  // Ink loads React's developer tools if a variable asks for them; they are not installed.
  alias: {'react-devtools-core': path.join(root, 'scripts/build/empty.mjs')},
  legalComments: 'linked',
  logLevel: 'warning',
};

rmSync(dist, {recursive: true, force: true});
await build({
  ...program,
  entryPoints: [
    {in: path.join(root, 'source/cli/main.ts'), out: 'cli'},
    ...later.map((name) => ({in: path.join(root, `source/${name}.ts`), out: path.basename(name)})),
  ],
  splitting: true,
  plugins: [...plugins, externalEntries(['app'])],
});
// The same in one file for `attach`, `status` and the like: to find and link twenty chunks takes as
// long as the rest of their start.
await build({
  ...program,
  entryPoints: [{in: path.join(root, 'source/cli/main.ts'), out: 'cli-single'}],
  plugins: [...plugins, externalEntries([...laterNames, 'app'])],
});
// And for the app, for the same reason. Nothing in it fetches; Yoga would, its own bytes, and load
// an HTTP client for that (30 ms).
const app = await build({
  ...program,
  entryPoints: [{in: path.join(root, 'source/cli/app/app.ts'), out: 'app'}],
  define: {
    ...program.define,
    fetch: 'undefined',
    'import.meta': metaName,
    'Intl.Segmenter': 'LazySegmenter',
  },
  inject: [path.join(root, 'scripts/build/lazy-segmenter.ts')],
  alias: {...program.alias, 'string-width': path.join(root, 'scripts/build/string-width.ts')},
  plugins: [
    lazyBundle('lazy.cjs', rarelyUsed),
    lazyBundle('emulator.cjs', emulator),
    ...plugins,
    externalEntries(laterNames),
  ],
  banner: {},
  // A third less to read: 20 ms until the first frame.
  minify: true,
  legalComments: 'external',
  write: false,
});
const outputOf = (ending: string): string =>
  app.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
const appScript = toAsyncScript(outputOf('.js'), 'app');
writeFileSync(path.join(dist, 'app-script.cjs'), appScript);
writeFileSync(path.join(dist, 'app-script.cjs.LEGAL.txt'), outputOf('.LEGAL.txt'));
await build({
  ...program,
  entryPoints: [{in: path.join(root, 'scripts/build/app-entry.ts'), out: 'app'}],
  define: {
    ...program.define,
    ORCHESTRA_APP_ID: JSON.stringify(
      createHash('sha256').update(appScript).digest('hex').slice(0, 16),
    ),
  },
  banner: {},
});
await build({
  ...program,
  stdin: exportsOf(rarelyUsed),
  outdir: '',
  outfile: path.join(dist, 'lazy.cjs'),
  format: 'cjs',
  banner: {},
  define: {...program.define, 'import.meta.url': '__filename'},
});
await build({
  ...program,
  stdin: exportsOf(emulator),
  outdir: '',
  outfile: path.join(dist, 'emulator.cjs'),
  format: 'cjs',
  banner: {},
  minify: true,
  plugins: [],
});
await build({
  ...program,
  stdin: exportsOf(counting),
  outdir: '',
  outfile: path.join(dist, 'count-tokens.cjs'),
  format: 'cjs',
  banner: {},
  plugins: [],
});
// One per session, or per session with a restricted network: they load nothing that they do not
// need, and as CommonJS take 1 MB less than as modules.
await build({
  entryPoints: {
    keeper: path.join(root, 'source/keeper/main.ts'),
    network: path.join(root, 'source/network/main.ts'),
  },
  outdir: dist,
  outExtension: {'.js': '.cjs'},
  define: {'import.meta.url': '__filename'},
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.12',
  external: ['node-pty'],
  logLevel: 'warning',
});
await build({
  entryPoints: {orchestra: path.join(root, 'source/launcher.ts')},
  outdir: dist,
  bundle: true,
  external: ['./cli.js', './cli-single.js'],
  platform: 'node',
  format: 'esm',
  target: 'es2018',
  supported: {'dynamic-import': true, 'import-meta': true},
  banner: {js: '#!/usr/bin/env node'},
  logLevel: 'warning',
});
rmSync(place, {recursive: true, force: true});
renameSync(dist, place);
