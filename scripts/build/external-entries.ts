import path from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * Keeps these dynamically imported files out of a bundle: each is loaded from the file of its name
 * in dist/.
 */
export function externalEntries(names: readonly string[]): Plugin {
  return {
    name: 'external-entries',
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
