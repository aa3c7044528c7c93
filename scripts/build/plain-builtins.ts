import {builtinModules} from 'node:module';
import type {Plugin} from 'esbuild';

/**
 * An `import` of one of Node's modules reads every property of it, and with that loads what is only there on demand:
 * `node:process` opens the standard streams (6 ms), `node:fs` loads its promises (3 ms). Asked for as an object, it costs
 * nothing but itself. Values are looked up at each use.
 */
export function plainBuiltins(): Plugin {
  const names = new Set(builtinModules);
  return {
    name: 'plain-builtins',
    setup(build) {
      build.onResolve({filter: /^(node:)?[a-z_/]+$/}, ({path: name, kind}) => {
        const plain = name.replace(/^node:/, '');
        return names.has(plain) && kind !== 'require-call'
          ? {path: plain, namespace: 'builtin'}
          : undefined;
      });
      build.onLoad({filter: /.*/, namespace: 'builtin'}, ({path: name}) => ({
        contents: `module.exports = process.getBuiltinModule('node:${name}');`,
        loader: 'js',
      }));
    },
  };
}
