import type {ToolCall} from '../stream/stream-event.ts';

/** One call of a tool that is over, whichever agent made it, as far as loops are looked for in it. */
export type ToolUse = {
  /** What a person recognises it by: `Bash npm test`. */
  readonly what: string;
  /** The same digest is the same call. Absent: the stream did not say what it was called with. */
  readonly digest?: string;
  readonly kind: ToolKind;
  readonly isError: boolean;
  /** What it gave, without times and durations: the same again is nothing new. */
  readonly result: string;
  /** Files that it wrote, with a digest of what is in each now. */
  readonly written?: readonly {readonly file: string; readonly content: string}[];
};

/**
 * `edit` writes files; `run` runs a command that may; `read` does not; `poll` asks how something stands that changes by itself,
 * and is repeated by right.
 */
export type ToolKind = 'edit' | 'run' | 'read' | 'poll';

export function toolKindOf({
  name,
  about,
  files = [],
}: Pick<ToolCall, 'name' | 'about' | 'files'>): ToolKind {
  if (files.length > 0) return 'edit';
  if (/output|status|wait|poll|monitor|_logs?$|sleep/i.test(name)) return 'poll';
  if (!/bash|shell|command|exec|terminal/i.test(name)) return 'read';
  if (polling.test(about)) return 'poll';
  return reading.test(about) && !/[>|;&`]|\$\(/.test(about) ? 'read' : 'run';
}

/** A command that waits for somebody else, or asks how they are. */
const polling =
  /\b(?:sleep|curl|wget|nc|ping|lsof|pgrep|pg_isready|netstat|ss|tail|watch|wait-on|docker (?:ps|logs|inspect)|kubectl|gh run)\b/;

const reading =
  /^\s*(?:cat|ls|pwd|head|wc|grep|rg|find|fd|tree|stat|file|which|echo|sed -n|git (?:status|diff|log|show|blame|branch))\b/;

/** Without what differs each time: how long it took, at what time, where in memory. */
export function withoutTimes(text: string): string {
  return text
    .slice(0, maxCharacters)
    .replaceAll(
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?\b/g,
      '<time>',
    )
    .replaceAll(
      /\b\d+(?:\.\d+)?\s?(?:ms|µs|us|ns|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\b/g,
      '<duration>',
    )
    .replaceAll(/\b0x[\da-f]+\b/gi, '<address>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const maxCharacters = 20_000;
