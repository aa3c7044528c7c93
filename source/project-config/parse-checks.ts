import type {DeclaredCheck} from '../domain/index.ts';
import {checkName} from '../shared/index.ts';
import {describeYaml, type YamlEntry, type YamlMapping} from '../syntax/index.ts';
import {reportTexts} from './allowed-values.ts';
import {
  parseEntries,
  parseMappingFields,
  pathInto,
  type ReportProblem,
  withConsequence,
} from './fields.ts';
import {parseTexts} from './schemas.ts';

/**
 * What the project declares about checks, by the names that the rules file or a plan gives them. An
 * entry without a valid report is left out.
 */
export function parseChecks(mapping: YamlMapping, report: ReportProblem): DeclaredCheck[] {
  const checks = parseEntries(mapping, 'checks', report).flatMap(
    (entry) => parseCheckEntry(entry, report) ?? [],
  );
  if (checks.length > maxChecks)
    report(
      mapping.entries[0]?.line ?? 1,
      `checks: expected at most ${maxChecks}, got ${checks.length}. Leave some out. Until then the first ${maxChecks} count.`,
    );
  return checks.slice(0, maxChecks);
}

const maxChecks = 50;

function parseCheckEntry(
  {key: name, line, value}: YamlEntry,
  report: ReportProblem,
): DeclaredCheck | undefined {
  const path = pathInto('checks', name);
  const leaveOut = withConsequence('it is left out', report);
  if (!checkName.test(name)) {
    leaveOut(
      line,
      `${path}: expected the name of a check, small letters, digits and "-" (at most 31). Write it as in the rules file.`,
    );
    return undefined;
  }

  if (value.is !== 'mapping') {
    leaveOut(
      line,
      `${path}: expected fields, as in "${name}: {report: junit.xml}", got ${describeYaml(value)}. The command itself stands in the rules file. Change it.`,
    );
    return undefined;
  }

  const field = parseMappingFields(value, path, {known: ['report']}, report).get('report');
  if (field === undefined) {
    leaveOut(line, `${path}: expected "report:", the file that the check writes. Write it.`);
    return undefined;
  }

  const texts = parseTexts(field, `${path}.report`, reportTexts, report);
  return texts === undefined || texts.length === 0 ? undefined : {name, report: texts};
}
