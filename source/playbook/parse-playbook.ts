import {type ParseResult, type Problem, toProblem, without} from '../shared/index.ts';
import {
  parseEntries,
  parseMappingFields,
  parseMapping,
  pathInto,
  type ReportProblem,
} from '../project-config/index.ts';
import {
  parseText,
  parseYaml,
  type YamlMapping,
  type YamlSteps,
  yamlToJson,
  type YamlValue,
} from '../syntax/index.ts';
import {lintHiddenCharacters} from '../rules/index.ts';
import type {Playbook, PlaybookPlan, StepList} from './playbook.ts';
import {parsePlanningSteps, parseSteps} from './parse-steps.ts';
import {parsePlan, taskIdPattern} from '../plan/index.ts';

/**
 * Parses a playbook. Never throws. A playbook is a program, so it may be run only when there are no
 * problems.
 */
export function parsePlaybook(source: string | Uint8Array): ParseResult<Playbook> {
  const {text, problems: unreadable} = parseText(source);
  if (unreadable.length > 0) return {value: emptyPlaybook, problems: unreadable.map(toProblem)};

  const {value, problems: oddities} = parseYaml(text, maxLevels);
  const problems: Problem[] = [...lintHiddenCharacters(text).map(toProblem), ...oddities];
  const report: ReportProblem = (line, message) => {
    problems.push({line, text: message});
  };

  const playbook =
    oddities.length > 0 && value.is === 'nothing' ? emptyPlaybook : buildPlaybook(value, report);
  return {value: playbook, problems: problems.toSorted((a, b) => a.line - b.line)};
}

const emptyPlaybook: Playbook = {planning: [], tasks: [], repairs: []};

/**
 * The file, `tasks`, a task, a step, `ask` or `report`, the options or the rejected alternatives,
 * one of those.
 */
const maxLevels = 7;

function buildPlaybook(file: YamlValue, report: ReportProblem): Playbook {
  const top = parseMapping(file, 'the file', 'Change it.', report);
  if (top === undefined) return emptyPlaybook;

  const fields = parseMappingFields(
    top,
    '',
    {known: ['plan', 'planning', 'tasks', 'repairs']},
    report,
  );
  const planField = fields.get('plan');
  const plan = planField && parsePlaybookPlan(planField, report);
  const planning = fields.get('planning');
  if (planning !== undefined && planField === undefined)
    report(planning.line, 'planning: expected a plan that it leads to, got none. Add "plan:".');
  const planned = plan?.tasks.map(({id}) => id);
  const parseField = (name: 'tasks' | 'repairs'): StepList[] => {
    const field = fields.get(name);
    const mapping = field && parseMapping(field, name, 'Change it.', report);
    return mapping === undefined ? [] : parseLists(mapping, name, planned, report);
  };

  if (fields.size === 0)
    report(
      file.line,
      'the file: expected a plan, steps, or both, got neither. Add "plan:" or "tasks:".',
    );
  return {
    ...(plan !== undefined && {plan}),
    planning: planning === undefined ? [] : parsePlanningSteps(planning, 'planning', report),
    tasks: parseField('tasks'),
    repairs: parseField('repairs'),
  };
}

function parseLists(
  mapping: YamlMapping,
  name: string,
  planned: readonly string[] | undefined,
  report: ReportProblem,
): StepList[] {
  return parseEntries(mapping, name, report).flatMap(({key: task, line, value}) => {
    const path = pathInto(name, task);
    if (!taskIdPattern.test(task)) {
      report(line, `${path}: expected the id of a task, like t1, t2, … t999. Change it.`);
      return [];
    }

    if (planned?.includes(task) === false)
      report(line, `${path}: the plan has no such task. Its tasks are: ${planned.join(', ')}.`);
    return {task, steps: parseSteps(value, path, report)};
  });
}

/**
 * A plan in YAML is written as JSON and parsed like a planner's, so that both obey the same rules.
 */
export function parsePlaybookPlan(
  value: YamlValue,
  report: ReportProblem,
): PlaybookPlan | undefined {
  const {json, lines} = yamlToJson(value, {
    onOther: ({line, what}, steps) => {
      report(line, `${planPath(steps)}: expected what a plan may hold, got ${what}. Write it out.`);
    },
    selectEntries: (mapping, steps) => parseEntries(mapping, planPath(steps), report),
  });
  const {value: plan, problems} = parsePlan(json, {objective: ''});
  for (const {line, text} of problems)
    report(lines[line - 1] ?? value.line, /^[\w$]+[.:[]/.test(text) ? `plan.${text}` : text);
  if (plan === undefined) return undefined;
  return plan.objective === '' ? without(plan, 'objective') : plan;
}

function planPath(steps: YamlSteps): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : pathInto(path, step)),
    'plan',
  );
}
