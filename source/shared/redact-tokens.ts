/** Redacts what has the shape of a well-known secret: private keys and tokens of services. */
export function redactTokens(text: string): string {
  return tokens.reduce((rest, token) => rest.replaceAll(token, mark), text);
}

const mark = '[redacted]';

/** Where a word begins; in JSON it may follow the `n` of a `\n`. */
const start = String.raw`(?:\b|(?<=\\[bfnrt]))`;

/** Every repetition is bounded, so that any text takes linear time. */
const tokens: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  wordLike(String.raw`eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{0,2000})?`),
  wordLike(String.raw`(?:sk|pk|rk)[-_](?=[\w-]{0,80}\d)[\w-]{16,400}`),
  wordLike(String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
  wordLike(
    String.raw`(?:gh[oprsu]_[A-Za-z0-9]{20,300}|github_pat_\w{20,300}|glpat-[\w-]{16,100}|npm_[A-Za-z0-9]{30,100}|hf_[A-Za-z0-9]{20,100}|xox[abeoprs]-[A-Za-z0-9-]{10,300}|AIza[\w-]{30,60})`,
  ),
];

function wordLike(pattern: string): RegExp {
  return new RegExp(`${start}${pattern}`, 'g');
}
