import path from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * The app uses two components of Ink and the function that renders them to text. Ink's index would
 * also load the input handling, the throttling, the console patch and the stack trace reader.
 */
export function inkSubset(root: string): Plugin {
  const ink = path.join(root, 'node_modules/ink/build');
  return {
    name: 'ink-subset',
    setup(build) {
      build.onResolve({filter: /^ink$/}, ({path: name}) => ({
        path: name,
        namespace: 'ink-subset',
      }));
      build.onLoad({filter: /.*/, namespace: 'ink-subset'}, () => ({
        contents: entries
          .map(
            ([name, file]) =>
              `export {default as ${name}} from ${JSON.stringify(path.join(ink, file))};`,
          )
          .join('\n'),
        resolveDir: root,
      }));
      // Our width function agrees with the emulator, and needs neither a table of all emoji (58 ms)
      // nor a segmenter (20 ms).
      build.onResolve({filter: /^string-width$/}, ({path: name}) => ({
        path: name,
        namespace: 'our-width',
      }));
      build.onLoad({filter: /.*/, namespace: 'our-width'}, () => ({
        contents: "export {textWidth as default} from './source/terminal/text-width.ts';",
        resolveDir: root,
      }));
      // Ink's own output makes an object of each cell and parses each text four times: 20 ms of the
      // first frame, and most of every later one.
      build.onResolve({filter: /^\.\/output\.js$/}, ({path: name, importer}) =>
        importer.endsWith(path.join('ink', 'build', 'renderer.js'))
          ? {path: name, namespace: 'plain-output'}
          : undefined,
      );
      build.onLoad({filter: /.*/, namespace: 'plain-output'}, () => ({
        contents: `import Whole from ${JSON.stringify(path.join(ink, 'output.js'))}; import {plainOutput} from './source/app/render/plain-output.ts'; export default plainOutput(Whole);`,
        resolveDir: root,
      }));
    },
  };
}

const entries = [
  ['Box', 'components/Box.js'],
  ['Text', 'components/Text.js'],
  ['renderToString', 'render-to-string.js'],
] as const;
