import {linesUntil} from '../block-of.ts';
import type {Sighting} from '../sighting.ts';
import {pythonTrace} from './stack-traces.ts';

/** `FAIL: test_a (module.Class.test_a)` between two rulers, then a traceback. */
export function readUnittest(lines: readonly string[]): Sighting | undefined {
  const at = lines.findIndex(
    (line, index) => /^(?:FAIL|ERROR): \S/.test(line) && /^={70}$/.test(lines[index - 1] ?? ''),
  );
  if (at === -1) return undefined;
  const test = (lines[at] ?? '').replace(/^\w+: /, '').replace(/^(\w+) \((\S+\.\1)\)/, '$2');
  const ruler = linesUntil(lines, at + 1, (line) => /^-{70}$/.test(line), 6).length;
  const body = linesUntil(lines, at + ruler + 2, (line) => /^(?:={70}|-{70})$/.test(line));
  const trace = pythonTrace(body, Math.max(body.indexOf('Traceback (most recent call last):'), 0));
  if (trace === undefined)
    return {
      at,
      tool: 'unittest',
      test,
      message: body.filter((line) => line !== '').slice(0, 4),
      places: [],
      excerpt: [],
    };
  // The difference that follows the message has empty lines in it.
  const error = body.lastIndexOf(trace.message[0] ?? '');
  return {
    ...trace,
    at,
    tool: 'unittest',
    test,
    message: body
      .slice(error)
      .filter((line) => line !== '')
      .slice(0, 8),
  };
}
