import type {PlannedTask} from '../../domain/index.ts';

/** What stands left of a task: its own row, and the rows below it down to the next task. */
export type GraphRow = {readonly node: string; readonly below: string};

/**
 * The order of tasks as lanes, in plain ASCII. A lane stays open while a later task builds on it:
 *
 *     o    t1
 *     +-o  t2, after t1
 *     o |  t3, after t1
 *     o-'  t4, after t2 and t3
 *
 * Empty when there are more lanes than a person can follow; the words beside it say the same.
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
  if (width > mostLanes) return tasks.map(() => ({node: '', below: ''}));
  const text = (cells: readonly string[]): string =>
    cells
      .slice(0, width)
      .join('')
      .padEnd(width * 2);
  return rows.map(([node, below]) => ({node: text(node), below: text(below)}));
}

const mostLanes = 12;

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
    const isOnTheWay = lane >= from && lane < to;
    return markOf(lane) + (isOnTheWay ? '-' : ' ');
  });

  function markOf(lane: number): string {
    if (lane === own) return 'o';
    if (parents.includes(lane)) return ending.has(lane) ? "'" : '+';
    if (open[lane] === true) return '|';
    return lane > from && lane < to ? '-' : ' ';
  }
}
