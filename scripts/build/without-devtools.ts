import type {Plugin} from 'esbuild';

/** Ink loads React's developer tools if asked to by a variable; they are not installed, and nobody asks. */
export function withoutDevtools(): Plugin {
  return {
    name: 'without-devtools',
    setup(build) {
      build.onResolve({filter: /^react-devtools-core$/}, ({path: name}) => ({
        path: name,
        namespace: 'absent',
      }));
      build.onLoad({filter: /.*/, namespace: 'absent'}, () => ({contents: 'export default {};'}));
    },
  };
}
