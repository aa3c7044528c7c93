import type {Mutation} from './mutation.ts';

/**
 * The source with the mutation in place, and how often its `find` occurs. White space and trailing
 * commas do not count: the formatter decides about them.
 */
export function plant(
  source: string,
  {find, replace}: Pick<Mutation, 'find' | 'replace'>,
): {
  readonly count: number;
  readonly planted: string;
} {
  const pattern = new RegExp(toLoosePattern(find), 'g');
  const count = [...source.matchAll(pattern)].length;
  return {count, planted: source.replace(pattern, () => replace)};
}

/** Tokens in their order, with any white space between them, and a comma before what closes. */
function toLoosePattern(find: string): string {
  const tokens = find.match(/\w+|[^\s\w]/g) ?? [];
  return tokens
    .filter((token, index) => !(token === ',' && /[)\]}]/.test(tokens[index + 1] ?? '')))
    .map((token, index, all) => {
      const escaped = token.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      const isWordAfterWord = /^\w/.test(token) && /^\w/.test(all[index - 1] ?? '');
      const space = isWordAfterWord ? String.raw`\s+` : String.raw`\s*`;
      const before = index === 0 ? '' : space;
      return /^[)\]}]$/.test(token) ? `${before},?${String.raw`\s*`}${escaped}` : before + escaped;
    })
    .join('');
}
