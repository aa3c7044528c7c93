import {sanitizeText} from '../../base/index.ts';
import type {Plan, PlannedTask} from '../../domain/index.ts';
import {jsonPath} from './json-path.ts';
import type {Placed} from './word-issue.ts';

/** What no schema can say: that names are used once, that tasks build on earlier ones, that no two paths are twins. */
export function checkPlan(plan: Plan, servers?: readonly string[]): Placed[] {
  return [
    ...repeated(
      plan.tasks.map(({id}) => id),
      (index) => ['tasks', index, 'id'],
    ),
    ...repeated(
      plan.validation.map(({name}) => name),
      (index) => ['validation', index, 'name'],
    ),
    ...plan.tasks.flatMap((task, index) => checkOrder(task, index, plan.tasks)),
    ...twins(plan.tasks),
    ...(servers === undefined
      ? []
      : plan.tasks.flatMap((task, index) => checkTools(task, index, servers))),
  ];
}

function repeated(names: readonly string[], stepsOf: (index: number) => Placed['steps']): Placed[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [fault(stepsOf(index), `"${name}" is used more than once. Give each its own.`)],
  );
}

function checkOrder(task: PlannedTask, index: number, tasks: readonly PlannedTask[]): Placed[] {
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
    if (other < index) return [];
    if (reaches(id, task.id, tasks))
      return [
        fault(
          steps,
          `"${task.id}" would wait for itself${id === task.id ? '' : ` through "${id}"`}, a cycle. Name earlier tasks only.`,
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

/** A worker without what its brief counts on would only find that out. */
function checkTools(
  {tools = []}: PlannedTask,
  index: number,
  servers: readonly string[],
): Placed[] {
  return tools.flatMap((name, position) => {
    if (servers.includes(name)) return [];
    const there =
      servers.length === 0
        ? 'The project declares none: leave it out.'
        : `Those of the project are: ${servers.join(', ')}.`;
    return [
      fault(
        ['tasks', index, 'tools', position],
        `"${name}" is not a server of tools here. ${there}`,
      ),
    ];
  });
}

/** Whether `from` waits, directly or not, for `to`. */
function reaches(from: string, to: string, tasks: readonly PlannedTask[]): boolean {
  const reached = new Set([from]);
  for (const id of reached) {
    for (const task of tasks) if (task.id === id) task.after.forEach((next) => reached.add(next));
    if (reached.has(to)) return true;
  }

  return false;
}

/** Two spellings of one file or folder: one file on macOS and Windows, two on Linux. */
function twins(tasks: readonly PlannedTask[]): Placed[] {
  const spellings = new Map<string, string>();
  return tasks.flatMap(({files}, index) =>
    files.flatMap((file, position) => {
      const twin = foldersOf(file)
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
function foldersOf(file: string): string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function firstSpelling(spellings: Map<string, string>, path: string): string {
  const key = path.toUpperCase().toLowerCase().normalize('NFC');
  const first = spellings.get(key) ?? path;
  spellings.set(key, first);
  return first;
}

function fault(steps: Placed['steps'], text: string): Placed {
  return {steps, level: 'error', text: `${jsonPath(steps)}: ${text}`};
}
