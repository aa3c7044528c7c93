import process from 'node:process';

/**
 * How often a random test runs. `npm run test:unit` sets TEST_SCALE below 1 to answer within a
 * minute; `npm test` runs all of it.
 */
export function scaled(count: number): number {
  return Math.max(1, Math.ceil(count * Number(process.env['TEST_SCALE'] ?? 1)));
}
