// fast-check with one seed for everybody: `npm test` says the same of the same code every time. `npm run faults properties` goes
// through other seeds; what it finds is kept as an example beside the property, for ever.
import process from 'node:process';
import fc from 'fast-check';

// Without the second, no text or list is longer than ten, whatever `maxLength` says.
fc.configureGlobal({
  seed: Number(process.env['SEED'] ?? 1),
  defaultSizeToMaxWhenMaxSpecified: true,
});

export {fc};
