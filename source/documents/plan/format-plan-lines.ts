import type {Check, Plan, PlannedTask, RejectedAlternative} from '../../domain/index.ts';
import {jsonPath} from './json-path.ts';
import {formatTaskGraph, type GraphRow} from './format-task-graph.ts';

/**
 * One line of a plan as a person reads it and comments on it. Its number depends on the plan alone: not on the width
 * of a window, on comments, or on the rules around it.
 */
export type PlanLine = {
  readonly number: number;
  /** The value that it shows, as `tasks[0].brief`; a comment reaches the planner with it. */
  readonly field: string;
  readonly text: string;
  readonly isTitle: boolean;
  /** The lanes of the task graph: on its first row, and on those that wrapping adds. */
  readonly graph?: {readonly first: string; readonly next: string};
};

export function formatPlanLines(plan: Plan): PlanLine[] {
  const lines = [
    ...prose('Objective', 'objective', plan.objective),
    ...prose('Problem', 'problem', plan.problem),
    ...prose('Root cause', 'rootCause', plan.rootCause),
    ...list('Assumptions', 'assumptions', plan.assumptions),
    ...list('Invariants to preserve', 'invariants', plan.invariants),
    ...list('Risks', 'risks', plan.risks),
    ...list('Rejected', 'rejected', plan.rejected.map(wordsOfRejected)),
    ...tasksOf(plan.tasks),
    ...list(
      'Validation of the plan, beside that of the rules',
      'validation',
      plan.validation.map(wordsOfCheck),
    ),
  ];
  return lines.map((line, index) => ({number: index + 1, ...line}));
}

type Unnumbered = Omit<PlanLine, 'number'>;

function title(text: string, field: string): Unnumbered {
  return {field, text, isTitle: true};
}

function prose(name: string, field: string, text: string): Unnumbered[] {
  return [
    title(name, field),
    ...paragraphs(text).map((paragraph) => ({field, text: paragraph, isTitle: false})),
  ];
}

function paragraphs(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function list(name: string, field: string, items: readonly string[]): Unnumbered[] {
  if (items.length === 0) return [title(`${name}: none`, field)];
  return [
    title(name, field),
    ...items.flatMap((item, index) =>
      paragraphs(item).map((text, part) => ({
        field: jsonPath([field, index]),
        text: `${part === 0 ? '-' : ' '} ${text}`,
        isTitle: false,
      })),
    ),
  ];
}

function wordsOfRejected({alternative, reason}: RejectedAlternative): string {
  return `${alternative}\nBecause: ${reason}`;
}

function wordsOfCheck({name, command}: Check): string {
  return `${name}: ${command}`;
}

function tasksOf(tasks: readonly PlannedTask[]): Unnumbered[] {
  const graph = formatTaskGraph(tasks);
  return [
    title('Tasks, a task waits for those that it is joined to', 'tasks'),
    ...tasks.flatMap((task, index) =>
      linesOfTask(task, index, graph[index] ?? {node: '', below: ''}),
    ),
  ];
}

function linesOfTask(
  {id, title: name, brief, files, after, services, skill, tools}: PlannedTask,
  index: number,
  {node, below}: GraphRow,
): Unnumbered[] {
  const line = (field: string, text: string): Unnumbered => ({
    field: jsonPath(['tasks', index, field]),
    text: `    ${text}`,
    isTitle: false,
    graph: {first: below, next: below},
  });
  return [
    {
      field: jsonPath(['tasks', index]),
      text: `${id}  ${name}`,
      isTitle: false,
      graph: {first: node, next: below},
    },
    ...(after.length === 0 ? [] : [line('after', `after: ${after.join(', ')}`)]),
    line('files', `files: ${files.join(', ')}`),
    ...(services.length === 0 ? [] : [line('services', `services: ${services.join(', ')}`)]),
    ...(skill === undefined ? [] : [line('skill', `skill: ${skill}`)]),
    ...(tools === undefined ? [] : [line('tools', `tools: ${tools.join(', ')}`)]),
    ...paragraphs(brief).map((text) => line('brief', text)),
  ];
}
