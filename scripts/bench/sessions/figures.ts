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

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
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

/** The number with as many digits as tell anything; what was not measured is a dash. */
export function show(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

export function atLeast(what: string, got: number, least: number): Goal {
  return {what, goal: `≥ ${least}`, got: show(got), isMet: got >= least};
}

export function atMost(what: string, got: number, most: number): Goal {
  return {what, goal: `≤ ${most}`, got: show(got), isMet: got <= most};
}
