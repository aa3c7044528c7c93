export type JournalCondition = {
  readonly mode: 'writing' | 'degraded' | 'read-only';
  readonly reason?: string;
  readonly isFull?: boolean;
  readonly remedy?: string;
};

/** What it means for a person that the journal takes no records, and what to do; nothing while it does. In brief, what goes without saying makes room for what to do. */
export function journalInWords(
  {mode, reason = '', isFull = false, remedy}: JournalCondition,
  isBrief = false,
): string | undefined {
  if (mode === 'writing') return undefined;
  const what = isFull
    ? 'the disk is full'
    : mode === 'read-only'
      ? 'the journal is read-only'
      : 'the journal cannot be written';
  return `${what}${isBrief ? '' : ': nothing new is started, sessions go on'}. ${(isFull ? remedy : undefined) ?? reason}`.trimEnd();
}
