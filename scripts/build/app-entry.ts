import {createRequire, getCompileCacheDir} from 'node:module';
import {fileURLToPath} from 'node:url';
import type {app as App} from '../../source/cli/app/app.ts';
import {loadCachedScript} from '../../source/cli/app/run-cached-script.ts';

/** The hash of the script, set by the build. */
declare const ORCHESTRA_APP_ID: string;

/** By then the first screen is drawn, and what it needs is compiled. */
const saveAfterMs = 2500;

const script = loadCachedScript({
  file: fileURLToPath(new URL('app-script.cjs', import.meta.url)),
  directory: getCompileCacheDir(),
  id: ORCHESTRA_APP_ID,
});
if (!script.isCached) setTimeout(script.save, saveAfterMs).unref();
export const app = (await script.run(
  createRequire(import.meta.url),
  import.meta,
  (file: string) => import(file) as Promise<unknown>,
)) as typeof App;
