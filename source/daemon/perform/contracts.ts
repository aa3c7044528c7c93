import type {Effect} from '../../domain/index.ts';

/**
 * What each effect promises about doing it again. Nothing is assumed after a crash: the world is looked at first, and what is
 * half there is repaired. The words are docs/effects.md; `test/daemon/contracts.test.ts` holds them to what there is.
 */
export type Contract = {
  /** What makes two of them the same, as it stands in the key. */
  readonly key: string;
  /** The moment at which it has happened. */
  readonly atomic: string;
  readonly observe: string;
  readonly repair: string;
  /** When it cannot be told whether it happened. */
  readonly onAmbiguous: 'redo' | 'adopt' | 'ask';
};

export const contracts: Readonly<Record<Effect['do'], Contract>> = {
  survey: {
    key: 'run',
    atomic: 'the record',
    observe: 'reads only',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'make-worktree': {
    key: 'owner',
    atomic: 'none: git makes it in many steps',
    observe:
      "git's list, the directory, its lock, branch, HEAD and index, and our note of the intent",
    repair:
      'what nobody worked in is taken away and made again; what somebody worked in is left and told',
    onAmbiguous: 'redo',
  },
  'prepare-worktrees': {
    key: 'run and plan',
    atomic: 'each worktree, and each shared directory by one rename',
    observe: 'our notes under our own directory, and a print of what was shared',
    repair: 'what is half made is discarded, what is stale is shared anew',
    onAmbiguous: 'redo',
  },
  'renew-worktree': {
    key: 'owner and the commit that it shall stand on',
    atomic: 'the branch, last',
    observe: 'the intent with the tree that was there before',
    repair: 'the tree is laid out again from what was captured before, never from a half-laid one',
    onAmbiguous: 'redo',
  },
  'remove-worktree': {
    key: 'owner',
    atomic: 'each of: ref and patch written, moved to the trash, deleted',
    observe: 'our record of how far it is, the directory, the trash, the ref',
    repair: 'goes on from the step that is recorded',
    onAmbiguous: 'redo',
  },
  'run-session': {
    key: 'session',
    atomic: '`session-created`, then go',
    observe: "the keeper's files, its socket, its process and that of its program",
    repair: 'a keeper that was never told to go is replaced',
    onAmbiguous: 'adopt',
  },
  'stop-session': {
    key: 'session',
    atomic: 'none: a ladder of signals',
    observe: 'the process tree by cookie and descent',
    repair: 'the ladder goes on; identity is checked before every signal',
    onAmbiguous: 'redo',
  },
  'type-input': {
    key: 'session and number',
    atomic: "the keeper's number of the last input",
    observe: "the keeper's answer",
    repair: 'none: nothing is typed twice',
    onAmbiguous: 'ask',
  },
  'type-prompt': {
    key: 'session and number',
    atomic: 'our note that it is begun',
    observe: 'the note, the screen, and what the program says it is doing',
    repair: 'none: what was begun before a crash is told and never typed again',
    onAmbiguous: 'ask',
  },
  'read-plan': {
    key: 'run, round, asking and session',
    atomic: 'the record',
    observe: "reads only: output, outcome, and the tree of the planner's worktree",
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'read-outcome': {
    key: 'attempt and session',
    atomic: 'the record',
    observe: 'reads only: exit status, outcome, output',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  capture: {
    key: 'attempt',
    atomic: 'the tree and the ref that keeps it',
    observe: 'the worktree, through an index of our own',
    repair: 'captured again',
    onAmbiguous: 'redo',
  },
  judge: {
    key: 'attempt and tree',
    atomic: 'the record',
    observe:
      'a function of the captured tree; what lies outside is compared with what was seen before',
    repair: 'judged again',
    onAmbiguous: 'redo',
  },
  'read-check': {
    key: 'attempt, check and session',
    atomic: 'the record',
    observe: 'exit status and log of the session; tracked files against the tree that was checked',
    repair: 'what the check changed is put back',
    onAmbiguous: 'redo',
  },
  'recall-baseline': {
    key: 'run and how often it was looked up',
    atomic: 'the record',
    observe: 'reads only: our own files of earlier results',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'read-baseline': {
    key: 'run, check and session',
    atomic: 'the record',
    observe: 'exit status and log of the session; tracked files against the base',
    repair: 'what the check changed is put back; the kept result is written again, whole',
    onAmbiguous: 'redo',
  },
  commit: {
    key: 'attempt and tree',
    atomic: 'the branch moves from what it was, or not',
    observe: 'the branch: is it this very commit?',
    repair: 'stale locks of our own are removed; the same parts make the same commit',
    onAmbiguous: 'redo',
  },
  'build-merge': {
    key: 'task, commit and tip',
    atomic: 'the ref that keeps the candidate',
    observe: 'objects only',
    repair: 'the same parts make the same candidate; it is laid out again',
    onAmbiguous: 'redo',
  },
  'publish-merge': {
    key: 'task and candidate',
    atomic: "the run's branch moves from what it was, or not",
    observe: "the run's branch: does it hold the candidate?",
    repair: 'told as done; where somebody else moved the branch, a person is asked',
    onAmbiguous: 'redo',
  },
  'restore-branch': {
    key: 'run and what was found',
    atomic: "the run's branch moves from what was found, or not",
    observe: "the run's branch: is it where the run left it?",
    repair: 'what was found is kept first; told as done, or asked about again',
    onAmbiguous: 'redo',
  },
  'bring-home': {
    key: 'run and commit',
    atomic: "the person's branch, last",
    observe:
      'the list of paths with what they were and what they shall be; each is one of the two, missing, or half of the new one',
    repair: "laid out again from the list; anything else is the person's edit and stops it",
    onAmbiguous: 'redo',
  },
  'write-summary': {
    key: 'task or run, and which of its ends',
    atomic: 'the rename',
    observe: 'the file',
    repair: 'written again, whole',
    onAmbiguous: 'redo',
  },
  'watch-service': {
    key: 'service and session',
    atomic: 'none: it looks',
    observe: "the kernel's listeners, the log, a request",
    repair: 'nothing to repair',
    onAmbiguous: 'adopt',
  },
  wait: {
    key: 'its moment',
    atomic: 'the record',
    observe: 'the clock',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
};
