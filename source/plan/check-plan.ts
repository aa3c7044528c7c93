import type {z} from 'zod';
import {isSame, sanitizeText} from '../shared/index.ts';
import type {Plan, PlannedTask} from '../domain/index.ts';
import {jsonPath} from '../syntax/index.ts';
import {maxVariants} from './set-variants.ts';

/**
 * Checks that a schema cannot express: unique names, tasks that depend on earlier ones, no paths
 * that differ in case only.
 */
export function checkPlan(plan: Plan, servers?: readonly string[]): PlanIssue[] {
  return [
    ...findRepeated(
      plan.tasks.map(({id}) => id),
      (index) => ['tasks', index, 'id'],
    ),
    ...findRepeated(
      plan.validation.map(({name}) => name),
      (index) => ['validation', index, 'name'],
    ),
    ...plan.tasks.flatMap((task, index) => checkOrder(task, index, plan.tasks)),
    ...plan.tasks.flatMap((task, index) => checkVariant(task, index, plan.tasks)),
    ...findTwins(plan.tasks),
    ...(servers === undefined
      ? []
      : plan.tasks.flatMap((task, index) => checkTools(task, index, servers))),
  ];
}

function findRepeated(
  names: readonly string[],
  stepsOf: (index: number) => PlanIssue['steps'],
): PlanIssue[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [fault(stepsOf(index), `"${name}" is used more than once. Give each its own.`)],
  );
}

function checkOrder(task: PlannedTask, index: number, tasks: readonly PlannedTask[]): PlanIssue[] {
  return task.after.flatMap((id, position) => {
    const steps = ['tasks', index, 'after', position];
    const other = tasks.findIndex((candidate) => candidate.id === id);
    if (other === -1)
      return [
        fault(
          steps,
          `no task has the id "${sanitizeText(id.slice(0, 20))}". Name an earlier task.`,
        ),
      ];
    if (other < index) {
      const root = tasks[other]?.variantOf;
      return root === undefined
        ? []
        : [fault(steps, `"${id}" is a variant of "${root}". Name "${root}", whichever is picked.`)];
    }

    if (reaches(id, task.id, tasks))
      return [
        fault(
          steps,
          `"${task.id}" would wait for ` +
            `itself${id === task.id ? '' : ` through "${id}"`}, a cycle. Name earlier ` +
            'tasks only.',
        ),
      ];
    return [
      fault(
        steps,
        `"${id}" comes later in the list. Put it before "${task.id}", or do not wait for it.`,
      ),
    ];
  });
}

/** Variants do the same work at the same place of the plan; only who does it differs. */
function checkVariant(
  {id, variantOf, after}: PlannedTask,
  index: number,
  tasks: readonly PlannedTask[],
): PlanIssue[] {
  if (variantOf === undefined) return [];
  const steps = ['tasks', index, 'variantOf'];
  const name = sanitizeText(variantOf.slice(0, 20));
  const root = tasks.slice(0, index).find((task) => task.id === variantOf);
  if (root === undefined)
    return [fault(steps, `no earlier task has the id "${name}". Name the task itself.`)];
  if (root.variantOf !== undefined)
    return [fault(steps, `"${name}" is a variant itself. Name "${root.variantOf}".`)];
  const others = tasks.filter((task) => task.id === variantOf || task.variantOf === variantOf);
  if (others.length > maxVariants && others.at(-1)?.id === id)
    return [
      fault(
        steps,
        `"${name}" has ${others.length} variants, expected at most ${maxVariants}. Leave some out.`,
      ),
    ];
  return isSame(after, root.after)
    ? []
    : [
        fault(
          ['tasks', index, 'after'],
          `a variant waits for the same tasks as "${name}": ${root.after.join(', ') || 'none'}. Change it.`,
        ),
      ];
}

/** A missing tool server is found here rather than by the worker. */
function checkTools(
  {tools = []}: PlannedTask,
  index: number,
  servers: readonly string[],
): PlanIssue[] {
  return tools.flatMap((name, position) => {
    if (servers.includes(name)) return [];
    const there =
      servers.length === 0
        ? 'The project declares none: leave it out.'
        : `The project has: ${servers.join(', ')}.`;
    return [
      fault(
        ['tasks', index, 'tools', position],
        `"${name}" is not a tool server of the project. ${there}`,
      ),
    ];
  });
}

/** Whether `from` depends on `to`, directly or not. */
function reaches(from: string, to: string, tasks: readonly PlannedTask[]): boolean {
  const reached = new Set([from]);
  for (const id of reached) {
    for (const task of tasks) if (task.id === id) task.after.forEach((next) => reached.add(next));
    if (reached.has(to)) return true;
  }

  return false;
}

/** Paths that differ in case only: one file on macOS and Windows, two on Linux. */
function findTwins(tasks: readonly PlannedTask[]): PlanIssue[] {
  const spellings = new Map<string, string>();
  return tasks.flatMap(({files}, index) =>
    files.flatMap((file, position) => {
      const twin = pathPrefixes(file)
        .map((path) => [path, firstSpelling(spellings, path)] as const)
        .find(([path, first]) => path !== first);
      return twin === undefined
        ? []
        : [
            fault(
              ['tasks', index, 'files', position],
              `"${twin[0]}" and "${twin[1]}" differ only in capitals. Use the spelling that the repository has.`,
            ),
          ];
    }),
  );
}

/** `a/b/c` → `a`, `a/b`, `a/b/c` */
function pathPrefixes(file: string): string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function firstSpelling(spellings: Map<string, string>, path: string): string {
  const key = path.toUpperCase().toLowerCase().normalize('NFC');
  const first = spellings.get(key) ?? path;
  spellings.set(key, first);
  return first;
}

export function fault(steps: PlanIssue['steps'], text: string): PlanIssue {
  return {steps, level: 'error', text: `${jsonPath(steps)}: ${text}`};
}

/** A finding about a value of the plan. */
export type PlanIssue = {
  readonly steps: readonly (string | number)[];
  readonly level: 'error' | 'warning';
  readonly text: string;
};

/**
 * Formats an issue of zod like every other problem: the path, what was expected, what was got, what
 * to do.
 */
export function toPlanIssue(issue: z.core.$ZodIssue, document: unknown): PlanIssue {
  const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const name = steps.length === 0 ? 'the plan' : jsonPath(steps);
  return {steps, level: 'error', text: `${name}: ${formatIssue(issue, valueAt(document, steps))}`};
}

function formatIssue(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing. Add ${formatType(issue.expected)}.`
        : `expected ${formatType(issue.expected)}, got ${describe(value)}. Change it.`;
    case 'too_small':
      return `expected at least ${String(issue.minimum)}, got ${describe(value)}. Add what is missing.`;
    case 'too_big':
      return (
        `expected at most ${String(issue.maximum)} ` +
        `${typeof value === 'string' ? 'characters' : 'of them'}, got ${describe(value)}. ` +
        'Make it shorter.'
      );
    default:
      return issue.message;
  }
}

function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    document,
  );
}

function formatType(type: string): string {
  return (
    {string: 'a text in quotes', array: 'a list [ … ]', object: 'an object { … }'}[type] ?? type
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/**
 * The plan with hidden characters made visible, because a person approves what is shown, and
 * warnings where they were.
 */
export function showHidden(plan: Plan): {
  readonly plan: Plan;
  readonly found: readonly PlanIssue[];
} {
  const found: PlanIssue[] = [];
  const shown = mapTexts(plan, [], (text, steps) => {
    const visible = sanitizeText(text);
    if (visible !== text)
      found.push({
        steps,
        level: 'warning',
        text:
          `${jsonPath(steps)}: has control or hidden characters, which are shown as \\u{…} ` +
          'from here on. Write it without them.',
      });
    return visible;
  });
  return {plan: shown as Plan, found};
}

/** The recursion is bounded: a plan that passed its schema is a few levels deep. */
function mapTexts(
  value: unknown,
  steps: PlanIssue['steps'],
  change: (text: string, steps: PlanIssue['steps']) => string,
): unknown {
  if (typeof value === 'string') return change(value, steps);
  if (Array.isArray(value))
    return value.map((member, index) => mapTexts(member, [...steps, index], change));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [
      key,
      mapTexts(member, [...steps, key], change),
    ]),
  );
}
