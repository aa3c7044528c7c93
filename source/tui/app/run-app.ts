import type {Repository} from '../model/model.ts';
import type {Highlight} from '../screens/highlight.ts';
import {appOf} from '../screens/app-of.ts';
import type {LoopOptions} from '../seam.ts';
import {createApp} from './create-app.ts';

export type AppOptions = LoopOptions & {readonly repository: Repository};

/** Runs the app until it is left; gives the exit code. */
export async function runApp(options: AppOptions): Promise<number> {
  const {repository, memory, env, terminal} = options;
  let highlight: Highlight | undefined;
  const app = appOf({size: terminal.size(), repository, memory: memory.read(), env, highlight: () => highlight});
  const running = createApp(app, options).run();
  // Half of what there is to load colours code, and nobody looks at code in the first frame.
  const loading = import('../screens/highlight.ts').then(({createHighlight}) => {
    highlight = createHighlight();
  });
  const [code] = await Promise.all([running, loading]);
  return code;
}
