/**
 * Whether a rule about validation asks for another number of retries than one. "Do not retry more than once" and
 * "at most two attempts" agree with the law; a sentence that forbids something is left alone.
 */
export function contradictsRetryLaw(text: string): boolean {
  if (noRetry.test(text)) return true;
  return text
    .split(/[.;!]\s/)
    .some(
      (sentence) => !negation.test(sentence) && endless.some((pattern) => pattern.test(sentence)),
    );
}

const noRetry =
  /^(?:never|do not|don['’]t|no)\s+(?:re-?try|re-?tries|re-?run)(?:\s+(?:anything|failures|failed checks|on failure))?[.!]?$/i;
const negation = /\b(?:never|not|don['’]t|no|without)\b/i;
const many = String.raw`(?:[2-9]|[1-9]\d+|two|three|four|five|six|ten|several|many|multiple)`;
const moreThanTwo = String.raw`(?:[3-9]|[1-9]\d+|three|four|five|six|ten|several|many|multiple)`;
const again = String.raw`\b(?:re-?try|re-?run|re-?tries|try|trying|fix|repeat|loop|iterate)\b`;

const endless = [
  new RegExp(`${again}.{0,80}\\b(?:until|till|forever|indefinitely)\\b`, 'i'),
  new RegExp(`${again}.{0,40}\\b(?:twice|thrice|${many}(?: more)? times)\\b`, 'i'),
  new RegExp(`\\b${many} (?:re-?tries|re-?runs)\\b`, 'i'),
  new RegExp(`\\b${moreThanTwo} (?:attempts|tries)\\b`, 'i'),
];
