import {shellWord} from '../../base/index.ts';
import {
  isTaskId,
  runIdIn,
  runOf,
  taskIdOfSession,
  taskOf,
  worktreeOf,
  type RunId,
  type Session,
  type State,
  type TaskId,
  type Unread,
} from '../../domain/index.ts';
import {describePurpose} from '../events/describe-purpose.ts';

/** Why nobody reads what is typed into a session. */
export function unreadInWords({why, ...rest}: Unread, session: Session): string {
  if (why === 'ended') return `${session.id} has ended: nobody would read what you type.`;
  if (why === 'headless-agent')
    return `${'agent' in rest ? rest.agent : 'The agent'} works headless in ${session.id}: it does not read its terminal, and nothing you type would reach it.`;
  return `${session.id} (${describePurpose(session.purpose)}) does not read its terminal; you can type into it when it asks for something.`;
}

/** What can be done instead of typing: what asks for the least first. */
export type InsteadOfTyping = {
  readonly does: 'note' | 'take-over' | 'stop' | 'shell';
  readonly words: string;
  readonly command: string;
};

export function insteadOfTyping(state: State, session: Session): readonly InsteadOfTyping[] {
  const task = taskIdOfSession(session);
  const what: RunId | TaskId | undefined =
    task ?? (session.purpose.for === 'plan' ? session.purpose.run : undefined);
  if (what === undefined)
    return [{does: 'stop', words: 'stop it', command: `orchestra stop ${session.id}`}];
  // Only the task's own: what somebody writes where a plan is made, or where tasks are merged, would be taken for theirs.
  const run = task === undefined ? undefined : runOf(state, runIdIn(task));
  const worktree =
    run === undefined || task === undefined ? undefined : worktreeOf(run, task)?.path;
  const isTakeable = isTaskId(what) && taskOf(state, what)?.stage.at === 'attempting';
  return [
    // A planner reads no notes: what it is told comes with a rejected plan.
    ...(isTaskId(what)
      ? [
          {
            does: 'note',
            words: 'leave words for its next attempt',
            command: `orchestra note ${what} "…"`,
          } as const,
        ]
      : []),
    ...(isTakeable
      ? [{does: 'take-over', words: 'take it over', command: `orchestra takeover ${what}`} as const]
      : []),
    ...(worktree === undefined
      ? []
      : [
          {
            does: 'shell',
            words: 'open a shell in its worktree',
            command: `orchestra start --cwd ${shellWord(worktree)} -- "$SHELL"`,
          } as const,
        ]),
    {does: 'stop', words: 'stop it', command: `orchestra stop ${what}`},
  ];
}

/** All of it, as a command says it. */
export function unreadForCommands(state: State, session: Session, unread: Unread): string {
  if (unread.why === 'ended')
    return `${unreadInWords(unread, session)} Its output: orchestra logs ${session.id}`;
  const ways = insteadOfTyping(state, session).map(({words, command}) => `  ${words}: ${command}`);
  return [`${unreadInWords(unread, session)} Instead:`, ...ways].join('\n');
}
