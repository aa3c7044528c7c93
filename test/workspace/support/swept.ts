import {readdirSync} from 'node:fs';

export type Swept = {
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

export function sweptOf(tried: number, midway: number, problems: readonly string[]): Swept {
  return {tried, held: tried - problems.length, midway, problems};
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
