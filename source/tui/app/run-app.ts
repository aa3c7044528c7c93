import type {Repository} from '../model/model.ts';
import type {Highlight} from '../screens/highlight.ts';
import {appOf} from '../screens/app-of.ts';
import type {LoopOptions} from '../seam.ts';
import {createApp} from './create-app.ts';

export type AppOptions = LoopOptions & {readonly repository: Repository};

/** Runs the app until it is left; gives the exit code. */
export async function runApp(options: AppOptions): Promise<number> {
  const {repository, memory, env, terminal} = options;
  const app = appOf({
    size: terminal.size(),
    repository,
    memory: memory.read(),
    env,
    highlight: createLateHighlight(),
  });
  return createApp(app, options).run();
}

/** What colours code is a fifth of all there is to load, and takes 10 MB: it is loaded when somebody looks at code first. */
function createLateHighlight(): () => Highlight | 'loading' | undefined {
  let highlight: Highlight | 'loading' | 'none' | undefined;
  const load = async (): Promise<void> => {
    try {
      const {createHighlight} = await import('../screens/highlight.ts');
      highlight = createHighlight();
    } catch {
      // A broken installation; a diff without colours says as much.
      highlight = 'none';
    }
  };

  return () => {
    if (highlight === undefined) {
      highlight = 'loading';
      void load();
    }

    return highlight === 'none' ? undefined : highlight;
  };
}
