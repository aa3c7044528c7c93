/** What a text is about: its words in their short form, its names of code, and its paths. */
export type Terms = {
  readonly stems: ReadonlySet<string>;
  readonly symbols: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
};

/** Linear in the text, of which at most 20,000 characters are read. */
export function parseTerms(source: string): Terms {
  const text = source.slice(0, maxCharacters);
  const tokens = text.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$./@-]*(?:\(\))?/gu) ?? [];
  const stems = new Set<string>();
  const symbols = new Set<string>();
  const paths = new Set<string>();
  for (const raw of tokens.slice(0, maxTokens)) {
    const token = raw.replace(/[./@-]+$/, '');
    if (token.length > maxTokenLength) continue;
    if (isPath(token)) paths.add(token.replace(/^\.\//, ''));
    else if (isSymbol(token)) symbols.add(token.replace(/\(\)$/, ''));
    for (const part of token.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)) {
      const word = toStem(part.toLowerCase());
      if (word !== undefined) stems.add(word);
    }
  }

  return {stems, symbols, paths};
}

/** `src/auth/token.ts`, `token.ts`, `config/sources.toml`. */
function isPath(token: string): boolean {
  return (
    /^[\w$@.-]+(?:\/[\w$@.-]+)+$/.test(token) || /^[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(token)
  );
}

/** `refreshToken`, `mail_outbox`, `MASK_KEY`, `refresh()`, `pandas.read_csv`. */
function isSymbol(token: string): boolean {
  return (
    token.endsWith('()') ||
    /^[\w$]*[a-z\d][A-Z][\w$]*$/.test(token) ||
    (/^\w+(?:\.\w+)*$/.test(token) && /[A-Za-z]_[A-Za-z]/.test(token))
  );
}

/**
 * A word without its ending, so that `retried` finds `retry`. Undefined for words that say nothing
 * about a subject.
 */
function toStem(word: string): string | undefined {
  if (word.length < 3 || /^\d+$/.test(word) || stopList.has(word)) return undefined;
  const bare = word.replace(/(?:ing|ied|ies|ed|es|s)$/, (ending) =>
    ending.startsWith('ie') ? 'i' : '',
  );
  const stem = bare.length < 3 ? word : bare.replace(/e$/, '').replace(/y$/, 'i');
  return stopList.has(stem) ? undefined : stem;
}

/** Words of every objective and every report, in English. */
const stopList = new Set(
  `about add added after again all also always and any are back because been before begin being
  between both break bug but can cannot change changed check code correct could did does done each
  end every example failing file files first fix for from get gets give given goes has have how
  improve instead into its keep keeps kept last like line lines look made make makes more most must
  need needs never new next not now off old once one only other our out over own part problem put
  replace right run runs same second see set should show shown shows side since small some start
  still stop such support take task test tests than that the their them then there these they thing
  this those through two under until update updated use used user users uses using value very
  want wants was way were what when where which while who why will with without work works would
  write wrong you your`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const maxCharacters = 20_000;
const maxTokens = 4000;
const maxTokenLength = 120;
