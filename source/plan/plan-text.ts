import type {Check, Plan, PlannedTask, RejectedAlternative} from '../domain/index.ts';
import {sanitizeText} from '../shared/index.ts';
import {jsonPath} from '../syntax/index.ts';

/**
 * One line of a plan, as a person reads it and comments on it. Its number depends on the plan
 * alone, not on the window's width, comments or rules.
 */
export type PlanLine = {
  readonly number: number;
  /** The path of its value, such as `tasks[0].brief`; the planner gets it with a comment. */
  readonly field: string;
  readonly text: string;
  readonly isTitle: boolean;
  /** The lanes of the task graph, on its first row and on the rows that wrapping adds. */
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
    ...list('Rejected', 'rejected', plan.rejected.map(formatRejected)),
    ...formatTasks(plan.tasks),
    ...list('Checks of the plan', 'validation', plan.validation.map(formatCheck)),
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

function formatRejected({alternative, reason}: RejectedAlternative): string {
  return `${alternative}\nBecause: ${reason}`;
}

function formatCheck({name, command}: Check): string {
  return `${name}: ${command}`;
}

function formatTasks(tasks: readonly PlannedTask[]): Unnumbered[] {
  const graph = formatTaskGraph(tasks);
  return [
    title('Tasks', 'tasks'),
    ...tasks.flatMap((task, index) =>
      formatTask(task, index, graph[index] ?? {node: '', below: ''}, tasks),
    ),
  ];
}

function formatTask(
  {
    id,
    title: name,
    brief,
    files,
    after,
    services,
    skill,
    tools,
    agent,
    model,
    variantOf,
  }: PlannedTask,
  index: number,
  {node, below}: GraphRow,
  tasks: readonly PlannedTask[],
): Unnumbered[] {
  const line = (field: string, text: string): Unnumbered => ({
    field: jsonPath(['tasks', index, field]),
    text: `    ${text}`,
    isTitle: false,
    graph: {first: below, next: below},
  });
  const root = tasks.find((task) => task.id === variantOf);
  return [
    {
      field: jsonPath(['tasks', index]),
      text: `${id}  ${name}`,
      isTitle: false,
      graph: {first: node, next: below},
    },
    ...(after.length === 0 ? [] : [line('after', `after: ${after.join(', ')}`)]),
    ...(variantOf === undefined ? [] : [line('variantOf', `variant of: ${variantOf}`)]),
    line('files', `files: ${files.join(', ')}`),
    ...(services.length === 0 ? [] : [line('services', `services: ${services.join(', ')}`)]),
    ...(skill === undefined ? [] : [line('skill', `skill: ${skill}`)]),
    ...(tools === undefined ? [] : [line('tools', `tools: ${tools.join(', ')}`)]),
    ...(agent === undefined ? [] : [line('agent', `agent: ${agent}`)]),
    ...(model === undefined ? [] : [line('model', `model: ${model}`)]),
    // A variant has the brief of its task, unless somebody edited it.
    ...(root?.brief === brief ? [] : paragraphs(brief)).map((text) => line('brief', text)),
  ];
}

/**
 * A plan as plain text with the line numbers that a person commented on: for the planner that plans
 * again.
 */
export function formatPlanText(plan: Plan): string {
  return formatPlanLines(plan)
    .map(({text, graph, isTitle}) =>
      sanitizeText(
        `${isTitle ? '' : '  '}${graph?.first ?? ''}${text}`.replaceAll('\t', '    ').trimEnd(),
      ),
    )
    .join('\n');
}

/** The graph left of a task: on its own row, and on the rows below it down to the next task. */
export type GraphRow = {readonly node: string; readonly below: string};

/**
 * The task graph as lanes, in plain ASCII. A lane stays open while a later task depends on it:
 *
 *     o    t1
 *     +-o  t2, after t1
 *     o |  t3, after t1
 *     o-'  t4, after t2 and t3
 *
 * Empty when there are too many lanes to follow; the text beside it lists the dependencies too.
 */
export function formatTaskGraph(tasks: readonly PlannedTask[]): GraphRow[] {
  const lastUse = new Map(
    tasks.flatMap(({after}, index) => after.map((id): [string, number] => [id, index])),
  );
  const lanes: (string | undefined)[] = [];
  const rows = tasks.map(({id, after}, index): readonly [readonly string[], readonly string[]] => {
    const parents = lanes.flatMap((holder, lane) =>
      holder !== undefined && after.includes(holder) ? [lane] : [],
    );
    const ending = new Set(parents.filter((lane) => lastUse.get(lanes[lane] ?? '') === index));
    const own = [...ending][0] ?? freeLane(lanes);
    const open = lanes.map((holder) => holder !== undefined);
    const node = drawNode(open, own, parents, ending);
    for (const lane of ending) lanes[lane] = undefined;
    lanes[own] = (lastUse.get(id) ?? -1) > index ? id : undefined;
    return [node, lanes.map((holder) => (holder === undefined ? '  ' : '| '))];
  });

  const width = Math.max(0, ...rows.map(([node]) => node.length));
  if (width > maxLanes) return tasks.map(() => ({node: '', below: ''}));
  const text = (cells: readonly string[]): string =>
    cells
      .slice(0, width)
      .join('')
      .padEnd(width * 2);
  return rows.map(([node, below]) => ({node: text(node), below: text(below)}));
}

const maxLanes = 12;

function freeLane(lanes: readonly (string | undefined)[]): number {
  const free = lanes.indexOf(undefined);
  return free === -1 ? lanes.length : free;
}

function drawNode(
  open: readonly boolean[],
  own: number,
  parents: readonly number[],
  ending: ReadonlySet<number>,
): string[] {
  const [from, to] = [Math.min(own, ...parents), Math.max(own, ...parents)];
  return Array.from({length: Math.max(open.length, own + 1)}, (_, lane) => {
    const isCrossed = lane >= from && lane < to;
    return markAt(lane) + (isCrossed ? '-' : ' ');
  });

  function markAt(lane: number): string {
    if (lane === own) return 'o';
    if (parents.includes(lane)) return ending.has(lane) ? "'" : '+';
    if (open[lane] === true) return '|';
    return lane > from && lane < to ? '-' : ' ';
  }
}
