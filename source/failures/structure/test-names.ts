import {isRule, type ClassifiedLog} from './blocks.ts';
import {toName} from './failure-marks.ts';

/** The test that an error belongs to, where the error's own lines or those around it name it. */
export function nameBeside({lines, kinds}: ClassifiedLog, at: number): string | undefined {
  const line = (index: number): string => lines[index] ?? '';
  const title = line(at).trim();
  // `CartTest#test_adds [test/cart_test.rb:8]:`
  const bracketed = /^(\S.{0,200}?) \[\S{1,200}:\d{1,7}\]:$/.exec(title)?.[1];
  if (bracketed !== undefined) return bracketed;
  const example = exampleName(lines, at);
  if (example !== undefined) return example;
  // The next line says the same of what it happened to: `Error: Exec[true]/returns: … failed: same`
  const text = title.replace(/^\w{3,10}: /, '');
  const owner = /^\w{3,10}: (\/?\S{1,200}): /.exec(line(at + 1))?.[1];
  if (owner !== undefined && text.length > 8 && line(at + 1).endsWith(`: ${text}`)) return owner;
  // `Error: suite:2:name.` between a rule and an empty line, in a run that printed dots.
  const ruled = /^(?:Error|Failure): (\S.{0,200}?)\.?$/.exec(title)?.[1];
  if (ruled !== undefined && isRule(line(at - 1)) && /^[.FES]{2,200}$/.test(line(at - 2)))
    return toName(ruled);
  for (let index = at + 1; index < lines.length && index - at < maxDistance; index += 1) {
    if (kinds[index]?.kind === 'failed') break;
    // `test adds: wrong answer` below the place.
    const below = index === at + 1 ? /^\s+test (\S{1,100}): /.exec(line(index))?.[1] : undefined;
    if (below !== undefined) return below;
    if (/^The test description was:$/.test(line(index))) return line(index + 1).trim();
  }

  // The name of a test alone on the line above.
  return /^(?:test[\w-]{1,100}|\w{1,100}_test)$/.exec(line(at - 1))?.[0];
}

const maxDistance = 40;

/** The example of a doctest, and what it documents. */
function exampleName(lines: readonly string[], at: number): string | undefined {
  for (let index = at; index >= 0 && at - index < 4; index -= 1) {
    const start = index + (/^File ".*", line \d+, in /.test(lines[index] ?? '') ? 1 : 0);
    if (lines[start] !== 'Failed example:') continue;
    const owner = /^File ".{1,300}", line \d+, in (\S{1,200})$/.exec(lines[start - 1] ?? '')?.[1];
    const code = (lines[start + 1] ?? '').trim();
    return owner === undefined ? code : `${owner} > ${code}`;
  }

  return undefined;
}
