import {sanitizeText} from '../../shared/index.ts';
import type {ProgramFacts} from './doctor-facts.ts';

export type Finding = {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'error';
  /** One line or more. */
  readonly text: string;
  /** What to do about it, one thing a line. */
  readonly advice?: string;
};

/**
 * Builds a finding from lines. Foreign text in a line can neither act on the terminal nor start a
 * line of its own.
 */
export function finding(
  name: string,
  level: Finding['level'],
  text: string | readonly string[],
  advice?: string | readonly string[],
): Finding {
  const plain = (lines: string | readonly string[]): string =>
    [lines]
      .flat()
      .map((line) => sanitizeText(line.replaceAll(/[\n\t]/g, ' ')))
      .join('\n');
  return {name, level, text: plain(text), ...(advice === undefined ? {} : {advice: plain(advice)})};
}

/** A problem with its advice, or nothing: the pairs of several checks are joined. */
export function problem(
  isPresent: boolean,
  text: string,
  advice: string,
): (readonly [string, string])[] {
  return isPresent ? [[text, advice]] : [];
}

export function missingText(ignored: readonly string[]): string {
  return ignored.length === 0
    ? 'not found'
    : `not found outside this repository (${ignored.join(', ')} is ignored)`;
}

export function silentText({file, why}: Extract<ProgramFacts, {at: 'silent'}>): string {
  if (why.at === 'timed-out')
    return `${file} did not print its version within ${why.timeoutMs / 1000} s`;
  if (why.at === 'failed') return `${file} did not print its version: ${why.how}`;
  return why.said === ''
    ? `${file} printed no version`
    : `${file} printed no version, but: ${why.said}`;
}

export function meetsMinimum(version: string, major: number, minor: number): boolean {
  const [gotMajor = 0, gotMinor = 0] = version.split('.').map(Number);
  return gotMajor > major || (gotMajor === major && gotMinor >= minor);
}
