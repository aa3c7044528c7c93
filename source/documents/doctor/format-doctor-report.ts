import type {DoctorFacts} from './doctor-facts.ts';
import {counted, type DoctorReport, type Finding} from './doctor-report.ts';

/** For people: 80 columns, plain ASCII of our own, no colour. */
export function formatDoctorReport({findings}: DoctorReport): string {
  return [...findings.flatMap((one) => linesOf(one)), '', verdictOf(findings), ''].join('\n');
}

/** For machines: plain ASCII, so that no path in it can act on a terminal, and nothing of it is lost. */
export function formatDoctorJson(report: DoctorReport, facts: DoctorFacts): string {
  const text = JSON.stringify({ok: report.ok, findings: report.findings, facts}, undefined, 2);
  return (
    text.replaceAll(
      /[\u007F-\uFFFF]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ) + '\n'
  );
}

function linesOf({name, level, text, advice}: Finding): string[] {
  const paragraphs = [
    ...text.split('\n'),
    ...(advice === undefined ? [] : advice.split('\n').map((line) => `-> ${line}`)),
  ];
  const [first = '', ...rest] = paragraphs.flatMap((paragraph) => wrap(paragraph));
  return [
    `${level.padEnd(9)}${name.padEnd(11)}${first}`,
    ...rest.map((line) => ' '.repeat(20) + line),
  ];
}

/** Words that are longer than a line, paths mostly, stay whole so that they can be copied. */
function wrap(text: string): string[] {
  const width = 80 - 20;
  return text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + 1 + word.length > width
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}

function verdictOf(findings: readonly Finding[]): string {
  const errors = findings.filter(({level}) => level === 'error').length;
  const warnings = findings.filter(({level}) => level === 'warning').length;
  if (errors === 0 && warnings === 0) return 'Everything is fine.';
  if (errors === 0) return `No errors, ${counted(warnings, 'warning')}: orchestra works here.`;
  const both =
    warnings === 0
      ? counted(errors, 'error')
      : `${counted(errors, 'error')} and ${counted(warnings, 'warning')}`;
  return `${both}: orchestra does not work here until the errors are gone.`;
}
