import {shellWord} from '../../shared/index.ts';
import {
  isTaskId,
  isTellable,
  type RunId,
  runIdIn,
  selectRun,
  selectTask,
  selectWorktree,
  type Session,
  type State,
  type TaskId,
  taskIdOfSession,
  type UnreadTyping,
} from '../../domain/index.ts';
import {describePurpose} from '../messages/describe-reason.ts';

/** Why a session does not read typed input. */
export function formatUnread({why, ...rest}: UnreadTyping, session: Session): string {
  if (why === 'ended') return `${session.id} has ended: nothing reads what you type.`;
  if (why === 'headless-agent')
    return (
      `${'agent' in rest ? rest.agent : 'The agent'} runs headless in ${session.id}. It ` +
      'does not read its terminal, so typing has no effect.'
    );
  return (
    `${session.id} (${describePurpose(session.purpose)}) does not read its terminal. You ` +
    'can type when it asks for something.'
  );
}

/** What a person can do instead of typing, the smallest step first. */
export type InsteadOfTyping = {
  readonly does: 'tell' | 'note' | 'take-over' | 'stop' | 'shell';
  readonly words: string;
  readonly command: string;
};

export function insteadOfTyping(state: State, session: Session): readonly InsteadOfTyping[] {
  const task = taskIdOfSession(session);
  const what: RunId | TaskId | undefined =
    task ?? (session.purpose.for === 'plan' ? session.purpose.run : undefined);
  if (what === undefined)
    return [{does: 'stop', words: 'stop it', command: `orchestra stop ${session.id}`}];
  // Only the task's own worktree: edits where a plan is made or tasks are merged would count as the
  // agent's.
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task));
  const worktree =
    run === undefined || task === undefined ? undefined : selectWorktree(run, task)?.path;
  const isTakeable = isTaskId(what) && selectTask(state, what)?.stage.at === 'attempting';
  return [
    ...(isTaskId(what) && isTellable(state, what)
      ? [
          {
            does: 'tell',
            words: 'send its agent a message now',
            command: `orchestra tell ${what} "…"`,
          } as const,
        ]
      : []),
    // A planner reads no notes; it gets the reason of a rejected plan instead.
    ...(isTaskId(what)
      ? [
          {
            does: 'note',
            words: 'leave a note for its next try',
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

/** The whole message for the command line: the reason, then the alternatives. */
export function unreadForCommands(state: State, session: Session, unread: UnreadTyping): string {
  if (unread.why === 'ended')
    return `${formatUnread(unread, session)} Its output: orchestra logs ${session.id}`;
  const ways = insteadOfTyping(state, session).map(({words, command}) => `  ${words}: ${command}`);
  return [`${formatUnread(unread, session)} Instead:`, ...ways].join('\n');
}
