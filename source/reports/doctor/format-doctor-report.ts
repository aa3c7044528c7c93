import {pluralize, wrapLine} from '../../shared/index.ts';
import type {DoctorFacts} from './doctor-facts.ts';
import type {DoctorReport} from './doctor-report.ts';
import type {Finding} from './finding.ts';

/** For people: 80 columns, no colour; the text that is ours is plain ASCII. */
export function formatDoctorReport({findings}: DoctorReport): string {
  return [...findings.flatMap((one) => findingLines(one)), '', formatVerdict(findings), ''].join(
    '\n',
  );
}

/**
 * For programs: escaped to plain ASCII, so that no path can act on a terminal and no character is
 * lost.
 */
export function formatDoctorJson(report: DoctorReport, facts: DoctorFacts): string {
  const text = JSON.stringify({ok: report.ok, findings: report.findings, facts}, undefined, 2);
  return (
    text.replaceAll(
      /[\u007F-\uFFFF]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ) + '\n'
  );
}

function findingLines({name, level, text, advice}: Finding): string[] {
  const paragraphs = [
    ...text.split('\n'),
    ...(advice === undefined ? [] : advice.split('\n').map((line) => `-> ${line}`)),
  ];
  // Paths are not broken, so that they can be copied.
  const [first = '', ...rest] = paragraphs.flatMap((paragraph) =>
    wrapLine(paragraph, textWidth, {overlong: 'keep'}),
  );
  return [
    `${level.padEnd(9)}${name.padEnd(11)}${first}`,
    ...rest.map((line) => ' '.repeat(20) + line),
  ];
}

const textWidth = 80 - 20;

function formatVerdict(findings: readonly Finding[]): string {
  const errors = findings.filter(({level}) => level === 'error').length;
  const warnings = findings.filter(({level}) => level === 'warning').length;
  if (errors === 0 && warnings === 0) return 'Everything is fine.';
  if (errors === 0) return `No errors, ${pluralize(warnings, 'warning')}: orchestra works here.`;
  const both =
    warnings === 0
      ? pluralize(errors, 'error')
      : `${pluralize(errors, 'error')} and ${pluralize(warnings, 'warning')}`;
  return `${both}: orchestra does not work here until the errors are gone.`;
}
