import process from 'node:process';
import {after, before} from 'node:test';

/**
 * Sets the time zone of this process for the tests of the surrounding `describe`. Unit tests share
 * one process.
 */
export function useTimeZone(zone: string): void {
  const own = process.env['TZ'];
  before(() => {
    process.env['TZ'] = zone;
  });
  after(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });
}
