import type {Usage} from '../domain/index.ts';
import type {AgentOutcome, AgentReport} from './driver.ts';

/** Who reads the file need not read more. */
export const mostOutcomeBytes = 256 * 1024;

/**
 * Reads `{"at": "finished", "words": "…", "report": {…}, "usage": {…}, "conversation": "…"}`. Whatever the agent wrote there,
 * the answer is short and of the right shape; a field that is not is left out, and without a known `at` it is no outcome.
 */
export function readOutcomeFile(text: string): AgentOutcome | undefined {
  const file = parse(text);
  const at = ends.find((end) => end === file?.['at']);
  if (file === undefined || at === undefined) return undefined;

  const [report, usage, conversation, until] = [
    reportOf(file['report']),
    usageOf(file['usage']),
    file['conversation'],
    file['until'],
  ];
  const said = {
    words: textOf(file['words']) ?? '',
    ...(usage !== undefined && {usage}),
    ...(typeof conversation === 'string' &&
      /^[A-Za-z0-9][\w.:-]{0,199}$/.test(conversation) && {conversation}),
  };
  const denied = listOf(file['denied'], textOf).slice(0, maxDenied);
  if (at === 'finished')
    return {at, ...said, ...(report !== undefined && {report}), ...(denied.length > 0 && {denied})};
  if (at === 'unavailable') return {at, ...said, ...(isAmount(until) && {until})};
  return {at, ...said};
}

const ends = [
  'finished',
  'gave-up',
  'failed',
  'interrupted',
  'conversation-lost',
  'unavailable',
] as const;
const mostCharacters = 4000;
const mostMembers = 50;
const maxDenied = 3;

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields | undefined {
  if (text.length > mostOutcomeBytes) return undefined;
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Only what stands in the file itself: a key `__proto__` is left behind with all that hangs on it. */
function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.assign(
    Object.create(null) as Fields,
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__')),
  );
}

function reportOf(value: unknown): AgentReport | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const rootCause = textOf(fields['rootCause']);
  const decisions = listOf(fields['decisions'], textOf);
  const rejected = listOf(fields['rejected'], (one) => {
    const member = fieldsOf(one);
    const [alternative, reason] = [textOf(member?.['alternative']), textOf(member?.['reason'])];
    return alternative === undefined || reason === undefined ? undefined : {alternative, reason};
  });
  return {
    ...(rootCause !== undefined && {rootCause}),
    ...(decisions.length > 0 && {decisions}),
    ...(rejected.length > 0 && {rejected}),
  };
}

function usageOf(value: unknown): Usage | undefined {
  const {input, output, cost} = fieldsOf(value) ?? {};
  return isAmount(input) && isAmount(output)
    ? {input, output, ...(isAmount(cost) && {cost})}
    : undefined;
}

function listOf<Member>(value: unknown, read: (member: unknown) => Member | undefined): Member[] {
  return Array.isArray(value)
    ? value.slice(0, mostMembers).flatMap((member) => read(member) ?? [])
    : [];
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.slice(0, mostCharacters).trim() : '';
  return text === '' ? undefined : text;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
