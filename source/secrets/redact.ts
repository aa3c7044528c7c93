/** Redacts the given values and everything that looks like a well-known kind of secret. */
export function redact(text: string, secrets: readonly string[]): string {
  return patterns.reduce(
    (rest, {pattern, by}) => rest.replaceAll(pattern, by),
    redactValues(text, secrets),
  );
}

/**
 * Redacts only the given values: for text of a person or an approved plan, where `token=refreshed`
 * is just an example.
 */
export function redactValues(text: string, secrets: readonly string[]): string {
  const values = secrets.filter((secret) => secret.length >= minCharacters).flatMap(toSpellings);
  return [...new Set(values)]
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, () => mark), text);
}

/** Shorter values occur in ordinary text. */
const minCharacters = 8;

const mark = '[redacted]';

/** The secret itself, inside JSON, and inside a URL. */
function toSpellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

/** Where a word begins; in JSON it may follow the `n` of a `\n`. */
const start = String.raw`(?:\b|(?<=\\[bfnrt]))`;
const keyName = String.raw`[\w-]{0,40}(?:key|secret|token|passw(?:or)?d|credentials?)`;

/** Every repetition is bounded, so that any text takes linear time. */
const patterns: readonly {readonly pattern: RegExp; readonly by: string}[] = [
  {
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    by: mark,
  },
  {
    pattern: wordLike(String.raw`eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{0,2000})?`),
    by: mark,
  },
  {pattern: wordLike(String.raw`(?:sk|pk|rk)[-_](?=[\w-]{0,80}\d)[\w-]{16,400}`), by: mark},
  {pattern: wordLike(String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}\b`), by: mark},
  {
    pattern: wordLike(
      String.raw`(?:gh[oprsu]_[A-Za-z0-9]{20,300}|github_pat_\w{20,300}|glpat-[\w-]{16,100}|npm_[A-Za-z0-9]{30,100}|hf_[A-Za-z0-9]{20,100}|xox[abeoprs]-[A-Za-z0-9-]{10,300}|AIza[\w-]{30,60})`,
    ),
    by: mark,
  },
  {pattern: /(Bearer|Basic)(\s{1,5})[\w.~+/=-]{12,4000}/gi, by: `$1$2${mark}`},
  {pattern: /(\/\/[^\s/:@]{1,100}:)[^\s/@]{3,200}@/g, by: `$1${mark}@`},
  // key=value, as in a shell, an address or a configuration file.
  {
    pattern: new RegExp(
      String.raw`(${keyName}=["']?)(?!\[redacted)[^\s"'&;,(){}<>$]{8,2000}`,
      'gi',
    ),
    by: `$1${mark}`,
  },
  // "key": "value", where the value has letters and digits and no blank: a looser pattern would
  // match ordinary test code.
  {
    pattern: new RegExp(
      String.raw`(${keyName}\\?["']?\s{0,5}[:=]\s{0,5}\\?["'])(?=[\w.+/=~-]{0,40}\d)(?=[\w.+/=~-]{0,40}[A-Za-z])[\w.+/=~-]{16,2000}`,
      'gi',
    ),
    by: `$1${mark}`,
  },
];

function wordLike(pattern: string): RegExp {
  return new RegExp(`${start}${pattern}`, 'g');
}
