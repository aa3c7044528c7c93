import {redactTokens} from '../shared/index.ts';

/** Redacts the given values and everything that looks like a well-known kind of secret. */
export function redact(text: string, secrets: readonly string[]): string {
  return patterns.reduce(
    (rest, {pattern, by}) => rest.replaceAll(pattern, by),
    redactTokens(redactValues(text, secrets)),
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

const keyName = String.raw`[\w-]{0,40}(?:key|secret|token|passw(?:or)?d|credentials?)`;

/** Every repetition is bounded, so that any text takes linear time. */
const patterns: readonly {readonly pattern: RegExp; readonly by: string}[] = [
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
