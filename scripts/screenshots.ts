// `npm run screenshots [NAME …]`: plays the sittings of scripts/pictures/sittings.ts in the app and
// writes pictures into docs/pictures, all or those named. Builds first; ORCHESTRA_DIST names
// another build.
import path from 'node:path';
import process from 'node:process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {drawSvg} from './pictures/draw-svg.ts';
import {openApp} from './pictures/open-app.ts';
import {playSteps} from './pictures/play-steps.ts';
import {sittings} from './pictures/sittings.ts';
import {terminals} from './pictures/to-paint.ts';

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(
  path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist')),
  'orchestra.js',
);
const pictures = path.resolve(process.env['PICTURES'] ?? path.join(root, 'docs', 'pictures'));
const wanted = process.argv.slice(2);

mkdirSync(pictures, {recursive: true});
for (const {terminal, editPlaybook, steps} of sittings) {
  const isWanted = steps.some(({take}) => take !== undefined && wanted.includes(take.name));
  if (wanted.length > 0 && !isWanted) continue;
  const app = await openApp({
    launcher,
    size: {columns: 120, rows: 35},
    ...(editPlaybook !== undefined && {editPlaybook}),
  });
  try {
    await playSteps(app, steps, ({take}) => {
      if (take === undefined || (wanted.length > 0 && !wanted.includes(take.name))) return;
      const svg = drawSvg(app.cells(), {title: take.title, colours: terminals[terminal]});
      writeFileSync(path.join(pictures, `${take.name}.svg`), svg);
      process.stdout.write(`${take.name}.svg  ${(svg.length / 1024).toFixed(1)} kB\n`);
    });
  } finally {
    await app.close();
  }
}
