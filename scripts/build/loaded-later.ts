import path from 'node:path';
import type {Plugin} from 'esbuild';

/** Leaves these modules out of a bundle: each is loaded from the file of its name beside it, when it is imported. */
export function loadedLater(names: readonly string[]): Plugin {
  return {
    name: 'loaded-later',
    setup(build) {
      build.onResolve({filter: /\.ts$/}, ({path: wanted, kind}) => {
        const name = path.basename(wanted, '.ts');
        return kind === 'dynamic-import' && names.includes(name)
          ? {path: `./${name}.js`, external: true}
          : undefined;
      });
    },
  };
}
