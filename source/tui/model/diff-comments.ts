import {isRunId, isTaskId, runIdIn, runOf, type State, type Wish} from '../../domain/index.ts';
import {saying} from './action.ts';
import {isCount} from './is-count.ts';
import type {DiffComment, Model} from './model.ts';

/** What the person wrote on the lines of the change in view and has not sent yet. */
export function diffComments({
  comments,
  subject,
}: Pick<Model, 'comments' | 'subject'>): readonly DiffComment[] {
  return comments.filter(({of, sentAs}) => of === subject && sentAs === undefined);
}

/** What came of sending a batch: it is the daemon's, or the person's again. */
export function afterSendingBatch(model: Model, wish: Wish, isTaken: boolean): Model {
  const text =
    wish.type === 'grant-attempt' ? wish.hint : wish.type === 'add-note' ? wish.text : undefined;
  if (text === undefined || !model.comments.some(({sentAs}) => sentAs === text)) return model;
  return {
    ...model,
    comments: isTaken
      ? model.comments.filter(({sentAs}) => sentAs !== text)
      : model.comments.map((one) => (one.sentAs === text ? unsent(one) : one)),
  };
}

/** What is in the person's branch, or was given up, takes no comments any more; those that wait are told of. */
export function withDiffCommentsKept(model: Model, state: State, now: number): Model {
  // What was remembered waits for the daemon: before that nobody knows what there is.
  if (
    model.comments.length === 0 ||
    model.connection.at !== 'live' ||
    model.remembered !== undefined
  )
    return model;
  const comments = model.comments.filter(({of}) => isOpen(state, of));
  if (comments.length === model.comments.length) return model;
  const lost = model.comments.filter((one) => one.sentAs === undefined && !comments.includes(one));
  const next = {...model, comments};
  return lost.length === 0
    ? next
    : saying(
        next,
        `${lost.length === 1 ? 'Your comment' : `Your ${lost.length} comments`} on ${lost[0]?.of ?? ''} ${lost.length === 1 ? 'was' : 'were'} not sent: it is over.`,
        now,
        'bad',
      );
}

function isOpen(state: State, of: DiffComment['of']): boolean {
  const run = runOf(state, runIdIn(of));
  if (run === undefined || run.stage.at === 'accepted' || run.stage.at === 'discarded')
    return false;
  return !isTaskId(of) || run.tasks.some(({id, stage}) => id === of && stage.at !== 'discarded');
}

/** Whatever was remembered: only what could have been written here. */
export function readDiffComments(value: unknown): readonly DiffComment[] {
  return (Array.isArray(value) ? value : [])
    .slice(0, mostRemembered)
    .flatMap((one: Partial<DiffComment> | null) => {
      const {of, path, line, source, text} = one ?? {};
      const isWhole =
        typeof of === 'string' &&
        (isRunId(of) || isTaskId(of)) &&
        typeof path === 'string' &&
        isCount(line) &&
        typeof source === 'string' &&
        typeof text === 'string' &&
        text.trim() !== '';
      return isWhole ? [{of, path, line, source, text}] : [];
    });
}

/** As they are remembered: those that are under way are the daemon's, or come back. */
export function rememberedDiffComments(comments: readonly DiffComment[]): readonly DiffComment[] {
  return comments.filter(({sentAs}) => sentAs === undefined).slice(-mostRemembered);
}

const mostRemembered = 200;

function unsent({of, path, line, source, text}: DiffComment): DiffComment {
  return {of, path, line, source, text};
}
