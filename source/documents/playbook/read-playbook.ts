import type {Problem, Reading} from '../../base/index.ts';
import {type Report, pathInto, readEntries, readFields} from '../project/read-fields.ts';
import {readYaml} from '../project/read-yaml.ts';
import {type YamlMapping, type YamlValue, describeYaml} from '../project/yaml-value.ts';
import {readText} from '../read-text.ts';
import {findHidden} from '../rules/find-hidden.ts';
import type {Playbook, StepList} from './playbook.ts';
import {readPlaybookPlan} from './read-playbook-plan.ts';
import {readSteps} from './read-steps.ts';

/**
 * Reads a playbook. Never fails; but a playbook is a program, and half of one is none: whoever follows it does so only when
 * there are no problems.
 */
export function readPlaybook(source: string | Uint8Array): Reading<Playbook> {
  const {text, problems: unreadable} = readText(source);
  if (unreadable.length > 0) return {value: emptyPlaybook, problems: unreadable.map(plain)};

  const {value, problems: oddities} = readYaml(text, mostLevels);
  const problems: Problem[] = [...findHidden(text).map(plain), ...oddities];
  const report: Report = (line, words) => {
    problems.push({line, text: words});
  };

  const playbook =
    oddities.length > 0 && value.is === 'nothing' ? emptyPlaybook : playbookOf(value, report);
  return {value: playbook, problems: problems.toSorted((a, b) => a.line - b.line)};
}

const emptyPlaybook: Playbook = {tasks: [], repairs: []};

/** The file, `tasks`, a task, a step, `ask` or `report`, the options or what was rejected, one of those. */
const mostLevels = 7;

function plain({line, text}: Problem): Problem {
  return {line, text};
}

function playbookOf(file: YamlValue, report: Report): Playbook {
  const top = mappingOf(file, 'the file', report);
  if (top === undefined) return emptyPlaybook;

  const fields = readFields(top, '', {known: ['plan', 'tasks', 'repairs']}, report);
  const planField = fields.get('plan');
  const plan = planField && readPlaybookPlan(planField, report);
  const planned = plan?.tasks.map(({id}) => id);
  const listsIn = (name: 'tasks' | 'repairs'): StepList[] => {
    const mapping = fields.has(name) ? mappingOf(fields.get(name), name, report) : undefined;
    return mapping === undefined ? [] : readLists(mapping, name, planned, report);
  };

  if (fields.size === 0)
    report(
      file.line,
      'the file: expected a plan, steps, or both, got neither. Add "plan:" or "tasks:".',
    );
  return {...(plan !== undefined && {plan}), tasks: listsIn('tasks'), repairs: listsIn('repairs')};
}

function mappingOf(
  value: YamlValue | undefined,
  path: string,
  report: Report,
): YamlMapping | undefined {
  if (value?.is === 'mapping') return value;
  report(
    value?.line ?? 1,
    `${path}: expected fields, each as "name: value", got ${value === undefined ? 'nothing' : describeYaml(value)}. Change it.`,
  );
  return undefined;
}

const taskId = /^t[1-9][0-9]{0,2}$/;

function readLists(
  mapping: YamlMapping,
  name: string,
  planned: readonly string[] | undefined,
  report: Report,
): StepList[] {
  return readEntries(mapping, name, report).flatMap(({key: task, line, value}) => {
    const path = pathInto(name, task);
    if (!taskId.test(task)) {
      report(line, `${path}: expected the id of a task, like t1, t2, … t999. Change it.`);
      return [];
    }

    if (planned?.includes(task) === false)
      report(line, `${path}: the plan has no such task. Its tasks are: ${planned.join(', ')}.`);
    return {task, steps: readSteps(value, path, report)};
  });
}
