import {type Fields, fieldsOf, textOf} from './fields.ts';
import type {Problem, ProblemKind} from './stream-event.ts';

/** What is known of an error beside its words. */
export type ErrorSigns = {
  /** The HTTP status, where the stream gives it. */
  readonly status?: number;
  /** A name for it, by the service or the agent. */
  readonly name?: string;
};

/** Sorts an error. A status is trusted before words, and words are looked at because most streams have nothing else. */
export function problemOf(said: string, {status, name = ''}: ErrorSigns = {}): Problem {
  const words = plainWordsOf(said);
  return {
    kind: kindOf(
      `${name} ${said.slice(0, mostCharacters)}`.toLowerCase(),
      status ?? statusIn(said),
    ),
    said: words,
  };
}

const mostCharacters = 4000;

function kindOf(text: string, status: number | undefined): ProblemKind {
  // Before the status: services answer 400 or 413 to it, like to any bad request.
  if (
    /context[_ ]?(?:length|window|overflow)|prompt[_ ](?:is )?too[_ ]long|too many tokens|maximum context|exceeds the maximum number of tokens|input is too long/.test(
      text,
    )
  )
    return 'too-long';
  if (/abort|interrupted|cancell?ed/.test(text)) return 'aborted';
  // Some answer 400 or 403 to a key that they do not know.
  if (
    /invalid[_ ](?:x-)?api[_ -]?key|api key not valid|authentication[_ ]error|unauthenticated|unauthorized|not logged in|please (?:run )?\/?log ?in|log in again|no api key|api key (?:is )?(?:missing|required)|oauth token/.test(
      text,
    )
  )
    return 'no-account';
  if (status === 401) return 'no-account';
  if (
    /usage[_ ]limit|rate[_ ]?limit|quota|resource_exhausted|too many requests|session limit|weekly limit|credit balance|insufficient[_ ](?:quota|funds|balance)|billing|exhausted your capacity/.test(
      text,
    ) ||
    status === 429 ||
    status === 402
  )
    return 'limit';
  if (
    /model_not_found|model[\s\S]{0,80}(?:not found|does not exist|may not exist|not supported)|unknown model|no such model/.test(
      text,
    )
  )
    return 'no-model';
  if (status === 403) return 'no-account';
  if (
    /overloaded|high demand|temporar|unavailable|econnrefused|econnreset|etimedout|enotfound|fetch failed|connection error|stream disconnected|error sending request|network error|timed? ?out/.test(
      text,
    )
  )
    return 'overload';
  if (status !== undefined && status >= 500) return 'overload';
  return 'model-error';
}

/** A status among the words: "unexpected status 401", "API Error: 500 …", "429 Too Many Requests", `"code":500`. */
function statusIn(said: string): number | undefined {
  const found = /(?:^|status:? |error:? |\(|"code":\s*"?)([45]\d\d)\b/i.exec(
    said.slice(0, mostCharacters),
  )?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Services answer in JSON, and agents pass that on whole: the message inside is what a person reads. */
function plainWordsOf(said: string): string {
  const start = said.indexOf('{');
  const end = said.lastIndexOf('}');
  if (start === -1 || end < start) return said.trim();
  try {
    const message = messageIn(fieldsOf(JSON.parse(said.slice(start, end + 1))));
    return message === '' ? said.trim() : message;
  } catch {
    return said.trim();
  }
}

function messageIn(fields: Fields): string {
  const inner = fieldsOf(fields['error']);
  return (textOf(inner['message']) || textOf(fields['message']) || textOf(fields['error'])).trim();
}
