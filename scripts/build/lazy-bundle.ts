import path from 'node:path';
import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/**
 * Files with rarely called, pure functions that bring large packages along. Each of their functions
 * loads the bundle of this name when it is called for the first time, so that callers stay
 * synchronous.
 */
export function lazyBundle(bundle: string, files: readonly string[]): Plugin {
  return {
    name: 'lazy-bundle',
    setup(build) {
      build.onLoad({filter: /\.ts$/}, ({path: file}) => {
        if (!files.includes(file)) return undefined;
        const names = [...readFileSync(file, 'utf8').matchAll(exported)].map(
          ([, name = '']) => name,
        );
        return {
          contents: [
            `let loaded; const bundle = './${bundle}';`,
            ...names.map(
              (name) =>
                `export function ${name}(...given) { return (loaded ??= require(bundle)).${name}(...given); }`,
            ),
          ].join('\n'),
          loader: 'js',
        };
      });
    },
  };
}

/** The contents of such a bundle: all exports of the files. */
export function exportsOf(files: readonly string[]): {
  readonly contents: string;
  readonly resolveDir: string;
  readonly loader: 'ts';
} {
  return {
    contents: files.map((file) => `export * from ${JSON.stringify(file)};`).join('\n'),
    resolveDir: path.dirname(files[0] ?? '.'),
    loader: 'ts',
  };
}

const exported = /^export function (\w+)/gm;
