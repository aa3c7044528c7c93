import {readdirSync} from 'node:fs';

export type SweepResult = {
  readonly tried: number;
  readonly held: number;
  /** Kills that came before the step was over. */ readonly midway: number;
  readonly problems: readonly string[];
};

export function locksIn(directory: string): string[] {
  return readdirSync(directory, {recursive: true, encoding: 'utf8'}).filter((name) =>
    name.endsWith('.lock'),
  );
}

export function toSweepResult(
  tried: number,
  midway: number,
  problems: readonly string[],
): SweepResult {
  return {tried, held: tried - problems.length, midway, problems};
}
