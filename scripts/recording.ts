// `npm run recording`: plays scripts/pictures/recording-steps.ts in the app and writes
// docs/pictures/demo.cast (asciicast v2) and docs/pictures/demo.svg, which plays by itself. Builds
// first; ORCHESTRA_DIST names another build, PICTURES another directory.
import path from 'node:path';
import process from 'node:process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {animateSvg} from './pictures/animate-svg.ts';
import {
  type CastEvent,
  fitSegments,
  formatCast,
  isWholeFrame,
  type Segment,
} from './pictures/cast.ts';
import {openApp} from './pictures/open-app.ts';
import {assertNothingPrivate, playSteps} from './pictures/play-steps.ts';
import {recordingSteps} from './pictures/recording-steps.ts';
import {terminals} from './pictures/to-paint.ts';

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(
  path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist')),
  'orchestra.js',
);
const pictures = path.resolve(process.env['PICTURES'] ?? path.join(root, 'docs', 'pictures'));
const size = {columns: 120, rows: 35};
const maxBytes = 1.5 * 1024 * 1024;
/** The workers in their panes, when one of them asks. */
const stillSeconds = 9.4;
/** The last frame stays this long before the SVG begins again. */
const restSeconds = 2;

const segments: Segment[] = [];
let from = performance.now();
let events: CastEvent[] = [];
let part = '';
const decoder = new TextDecoder();
const app = await openApp({
  launcher,
  size,
  onOutput: (bytes) => {
    part += decoder.decode(bytes, {stream: true});
    if (!isWholeFrame(part)) return;
    events.push({at: performance.now(), text: part});
    part = '';
  },
});
try {
  await playSteps(app, recordingSteps, ({seconds = 1, until}) => {
    const to = performance.now();
    segments.push({from, to, seconds, events});
    process.stdout.write(`${((to - from) / 1000).toFixed(1)} s as ${seconds} s: ${until.source}\n`);
    [from, events] = [to, []];
  });
} finally {
  await app.close();
}

const cast = {...size, title: 'orchestra demo', events: fitSegments(segments)};
const length = segments.reduce((sum, {seconds}) => sum + seconds, 0) + restSeconds;
const svg = animateSvg(cast, {
  colours: terminals.dark,
  seconds: length,
  stillSeconds,
  onFrame: assertNothingPrivate,
});
if (svg.length > maxBytes)
  throw new Error(
    `expected at most ${maxBytes} bytes of SVG, got ${svg.length}. Draw fewer frames.`,
  );
mkdirSync(pictures, {recursive: true});
writeFileSync(path.join(pictures, 'demo.cast'), formatCast(cast));
writeFileSync(path.join(pictures, 'demo.svg'), svg);
process.stdout.write(`demo.cast, demo.svg  ${(svg.length / 1024).toFixed(0)} kB\n`);
