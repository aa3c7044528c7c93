import {isRecord, toSha256} from '../../shared/index.ts';
import {
  type Run,
  runIdOfSession,
  selectRun,
  selectSession,
  type Session,
  taskIdOfSession,
} from '../../domain/index.ts';
import type {PromptFact} from '../../prompts/index.ts';
import type {SessionFiles, StateReader} from '../daemon-context.ts';

/** What the prompts of a conversation have told, as hashes, so that it is not told again. */
export type Given = {
  readonly rules: string;
  /** Of everything about the task that must not change: brief, files, invariants, checks. */
  readonly task: string;
  /** By the name of the fact. */
  readonly facts: Readonly<Record<string, string>>;
  /** Ids of recalled summaries, and hashes of notes, skills, failures and hints. */
  readonly pieces: readonly string[];
};

/** A session that works on a further attempt adds to what it was given. */
export function writeGiven(
  {store}: SessionFiles,
  {id, earlier}: Pick<Session, 'id' | 'earlier'>,
  given: Given,
  conversation: string | undefined,
): void {
  const known = earlier === undefined ? undefined : parseNote(store.noteOf(id, 'given'));
  const resumes = known === undefined ? conversation : known.resumes;
  store.writeNote(id, 'given', {
    ...(known === undefined ? given : merge(known.given, given)),
    ...(resumes === undefined ? {} : {resumes}),
  });
}

/**
 * What a conversation has been given so far. Undefined if that is not certain: a prompt of an
 * earlier release, or one whose agent ended before its model answered. Then it gets everything.
 */
export function readGiven(
  context: StateReader & SessionFiles,
  session: Session,
  conversation: string,
): Given | undefined {
  let found: Given | undefined;
  let wanted = conversation;
  for (const earlier of sessionsBefore(context, session).toReversed()) {
    if (earlier.conversation !== wanted) continue;
    const note = parseNote(context.store.noteOf(earlier.id, 'given'));
    if (note === undefined) continue;
    if (wasRead(earlier)) found = found === undefined ? note.given : merge(note.given, found);
    if (note.resumes === undefined) return wasRead(earlier) ? found : undefined;
    wanted = note.resumes;
  }

  return undefined;
}

/** Its model answered, or the agent ended well. */
function wasRead(session: Session): boolean {
  const {life, usage, turn, earlier} = session;
  // Its turns and tokens are those of the attempt before, until the last prompt has arrived.
  if (earlier !== undefined && !hasReadLastPrompt(session, earlier.turns)) return false;
  return (
    (turn?.at === 'ended' && turn.error === undefined) ||
    usage.input + usage.output > 0 ||
    (life.at === 'exited' && life.signal === null && life.code === 0)
  );
}

function hasReadLastPrompt({inputs, turn}: Session, turnsBefore: number): boolean {
  const last = inputs.findLast(({prompt}) => prompt !== undefined);
  return (
    turn?.at === 'ended' &&
    turn.number > turnsBefore &&
    last !== undefined &&
    last.fate !== 'pending' &&
    turn.since >= last.at
  );
}

function merge(earlier: Given, later: Given): Given {
  return {
    rules: later.rules,
    task: later.task,
    facts: {...earlier.facts, ...later.facts},
    pieces: [...earlier.pieces, ...later.pieces],
  };
}

/** Earlier sessions of the same task; also this one, if it has worked on an earlier attempt. */
function sessionsBefore({state}: StateReader, session: Session): Session[] {
  const known = state();
  const id = runIdOfSession(session);
  const run: Run | undefined = id === undefined ? undefined : selectRun(known, id);
  const ids = run?.sessions ?? [];
  return ids
    .slice(0, ids.indexOf(session.id) + (session.earlier === undefined ? 0 : 1))
    .flatMap((one) => selectSession(known, one) ?? [])
    .filter((other) => taskIdOfSession(other) === taskIdOfSession(session));
}

function parseNote(value: unknown): {readonly given: Given; readonly resumes?: string} | undefined {
  if (!isRecord(value)) return undefined;
  const {rules, task, facts, pieces, resumes} = value;
  if (typeof rules !== 'string' || typeof task !== 'string' || !isRecord(facts)) return undefined;
  if (!Array.isArray(pieces) || !pieces.every((one) => typeof one === 'string')) return undefined;
  return {
    given: {rules, task, facts: facts as Record<string, string>, pieces},
    ...(typeof resumes === 'string' ? {resumes} : {}),
  };
}

export function hashGiven(value: unknown): string {
  return toSha256(JSON.stringify([value])).slice(0, 16);
}

/** The age and the free space of the disk differ each time and are no news. */
export function hashFacts(facts: readonly PromptFact[]): Record<string, string> {
  return Object.fromEntries(
    facts
      .filter(({name}) => name !== 'disk')
      .map((fact) => [fact.name, hashGiven('value' in fact ? fact.value : fact.unknown)]),
  );
}
