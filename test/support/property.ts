// fast-check with one seed: `npm test` gives the same result for the same code every time.
// `npm run faults properties` tries other seeds; what it finds stays as an example beside the
// property.
import process from 'node:process';
import fc from 'fast-check';

// Without the second option no text or list is longer than ten, whatever `maxLength` says.
fc.configureGlobal({
  seed: Number(process.env['SEED'] ?? 1),
  defaultSizeToMaxWhenMaxSpecified: true,
});

export {fc};
