// Text four times as long may take about four times as long; what is quadratic takes sixteen times
// as long.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseProject} from '../../source/project-config/index.ts';

const size = 60_000;
const max = 10;

const texts: Readonly<Record<string, (length: number) => string>> = {
  'unknown fields': (length) => numbered(length, (index) => `k${index}: 1\n`),
  'one field again and again': (length) => 'setup: a\n'.repeat(length / 9),
  'services with ports': (length) =>
    `services:\n${numbered(length, (index) => ` s${index}: {command: a, port: ${index + 1}}\n`)}`,
  'services on one port': (length) =>
    `services:\n${numbered(length, (index) => ` s${index}: {command: a, port: 1}\n`)}`,
  'aliases of one anchor': (length) =>
    `x: &a 1\nservices:\n${numbered(length, (index) => ` s${index}: *a\n`)}`,
  'globs to copy': (length) => `copy:\n${numbered(length, (index) => ` - a${index}/*\n`)}`,
  'lists in lists': (length) =>
    `copy: ${'['.repeat(40)}${'[a],'.repeat(length / 4)}${']'.repeat(40)}`,
  tags: (length) => `services:\n${numbered(length, (index) => ` s${index}: !t a\n`)}`,
  'one long command': (length) => `setup: ${'a '.repeat(length / 2)}`,
  'hidden characters': (length) => '# \u200B\u202E\n'.repeat(length / 9),
};

describe('reading a project grows with its text:', () => {
  for (const [name, textOf] of Object.entries(texts)) {
    test(name, () => {
      const [small, large] = [textOf(size), textOf(size * 4)];
      let ratio = Infinity;
      for (let round = 0; round < 5 && ratio > max; round += 1)
        ratio = Math.min(ratio, best(large) / Math.max(best(small), 1));
      assert.ok(ratio <= max, `four times the text took ${ratio.toFixed(1)} times as long`);
    });
  }
});

function numbered(length: number, lineOf: (index: number) => string): string {
  return Array.from({length: Math.floor(length / lineOf(10_000).length)}, (_, index) =>
    lineOf(index),
  ).join('');
}

/** Other work on the machine can spoil a measurement, never improve it. */
function best(text: string): number {
  return Math.min(
    ...Array.from({length: 3}, () => {
      const start = process.cpuUsage();
      parseProject(text);
      const {user, system} = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}
