import path from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * Of Ink, the app takes two components and the function that draws them into a text. Its door would load the rest too: what
 * listens to keys, throttles, patches the console, reads stack traces, and colours them.
 */
export function inkDrawsText(root: string): Plugin {
  const ink = path.join(root, 'node_modules/ink/build');
  return {
    name: 'ink-draws-text',
    setup(build) {
      build.onResolve({filter: /^ink$/}, ({path: name}) => ({
        path: name,
        namespace: 'ink-draws-text',
      }));
      build.onLoad({filter: /.*/, namespace: 'ink-draws-text'}, () => ({
        contents: doors
          .map(
            ([name, file]) =>
              `export {default as ${name}} from ${JSON.stringify(path.join(ink, file))};`,
          )
          .join('\n'),
        resolveDir: root,
      }));
      // Ours counts as the emulator does that reads the text, and needs neither a table of all emoji (58 ms) nor a segmenter (20 ms).
      build.onResolve({filter: /^string-width$/}, ({path: name}) => ({
        path: name,
        namespace: 'our-width',
      }));
      build.onLoad({filter: /.*/, namespace: 'our-width'}, () => ({
        contents: "export {textWidth as default} from './source/terminal/text-width.ts';",
        resolveDir: root,
      }));
      // Ink's own makes an object of each cell and reads each text four times: 20 ms of the first frame, and most of the time of all others.
      build.onResolve({filter: /^\.\/output\.js$/}, ({path: name, importer}) =>
        importer.endsWith(path.join('ink', 'build', 'renderer.js'))
          ? {path: name, namespace: 'plain-output'}
          : undefined,
      );
      build.onLoad({filter: /.*/, namespace: 'plain-output'}, () => ({
        contents: `import Whole from ${JSON.stringify(path.join(ink, 'output.js'))}; import {plainOutput} from './source/tui/render/plain-output.ts'; export default plainOutput(Whole);`,
        resolveDir: root,
      }));
    },
  };
}

const doors = [
  ['Box', 'components/Box.js'],
  ['Text', 'components/Text.js'],
  ['renderToString', 'render-to-string.js'],
] as const;
