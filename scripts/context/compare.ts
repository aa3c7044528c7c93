import type {Placement, Request, Transcript} from './transcript.ts';

export type Comparison = {
  readonly requests: number;
  readonly prompt: number;
  readonly results: number;
  readonly last: number;
  readonly total: number;
};

/**
 * Every request carries all that was before: `total` is what is paid for, `last` how full the
 * context was in the end.
 */
export function getSum({requests}: Transcript): Comparison {
  const last = requests.at(-1);
  return {
    requests: requests.length,
    prompt: last?.prompt ?? 0,
    results: last?.results ?? 0,
    last: last === undefined ? 0 : getTokens(last),
    total: requests.reduce((sum, request) => sum + getTokens(request), 0),
  };
}

function getTokens({system, tools, prompt, said, results}: Request): number {
  return system + tools + prompt + said + results;
}

/**
 * What is wrong with where the rules reached a model: sentences. They must be the first of our
 * words, once, whole and in their order.
 */
export function getFaults({agent, text, times}: Placement, rules: string): string[] {
  const lines = rules.split('\n').filter((line) => /^\d+\.\d+ /.test(line));
  let from = 0;
  const missing = lines.find((line) => {
    const at = text.indexOf(line, from);
    from = at + line.length;
    return at === -1;
  });
  return [
    ...(text.startsWith(rules) ? [] : [`${agent}: our words do not begin with the rules`]),
    ...(times === 1 ? [] : [`${agent}: the rules are there ${times} times`]),
    ...(missing === undefined
      ? []
      : [`${agent}: the rule "${missing}" is missing, or not in its place`]),
  ];
}
