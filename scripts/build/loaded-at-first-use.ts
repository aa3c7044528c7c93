import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * Modules whose functions are pure and seldom called, and that bring large packages along: each of their functions loads the
 * bundle of this name beside it when it is called first. So whoever calls need not know, and may expect the answer at once.
 */
export function loadedAtFirstUse(bundle: string, files: readonly string[]): Plugin {
  return {
    name: 'loaded-at-first-use',
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

/** What such a bundle holds: everything that the modules export. */
export function allOf(files: readonly string[]): {
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
