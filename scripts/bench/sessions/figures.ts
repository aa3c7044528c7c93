/** One goal of ours, and what this run showed of it. */
export type Goal = {
  readonly what: string;
  readonly goal: string;
  readonly got: string;
  readonly isMet: boolean;
};

export type Section = {
  readonly title: string;
  readonly lines: readonly string[];
  readonly goals: readonly Goal[];
};

export function getTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  return values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ]!;
}

/** The number with three significant digits; a dash when it was not measured. */
export function show(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function reachesMin(what: string, got: number, min: number): Goal {
  return {what, goal: `≥ ${min}`, got: show(got), isMet: got >= min};
}

export function staysBelow(what: string, got: number, max: number): Goal {
  return {what, goal: `≤ ${max}`, got: show(got), isMet: got <= max};
}
