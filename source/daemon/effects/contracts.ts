import type {Effect} from '../../domain/index.ts';

/**
 * What each effect guarantees when it is repeated. After a crash nothing is assumed: the effect
 * inspects the current state first and repairs what is unfinished. These texts are docs/effects.md;
 * `test/daemon/effects/contracts.test.ts` keeps the page equal.
 */
export type Contract = {
  /** What identifies the effect: two with the same key are the same effect. */
  readonly key: string;
  /** The step that commits it. */
  readonly atomic: string;
  /** What it inspects before it acts. */
  readonly observe: string;
  readonly repair: string;
  /** What to do if it cannot be determined whether it happened. */
  readonly onAmbiguous: 'redo' | 'adopt' | 'ask';
};

export const contracts: Readonly<Record<Effect['do'], Contract>> = {
  survey: {
    key: 'run',
    atomic: 'the event is journaled',
    observe: 'read-only',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'make-worktree': {
    key: 'owner',
    atomic: 'never at once: git needs many steps',
    observe:
      '`git worktree list`, the directory, its lock, branch, HEAD and index, and our intent file',
    repair: 'an unused worktree is removed and created again; a used one is left and reported',
    onAmbiguous: 'redo',
  },
  'prepare-worktrees': {
    key: 'run and plan',
    atomic: 'each worktree; each shared directory by one rename',
    observe: 'our records in our own directory, and a fingerprint of what was shared',
    repair: 'unfinished parts are discarded, stale ones shared again',
    onAmbiguous: 'redo',
  },
  'renew-worktree': {
    key: 'owner and target commit',
    atomic: 'the branch moves, as the last step',
    observe: 'the intent with the previous tree',
    repair:
      'the tree is checked out again from the last capture, never from an unfinished checkout',
    onAmbiguous: 'redo',
  },
  'remove-worktree': {
    key: 'owner',
    atomic: 'each step: ref and patch written, moved to the trash, deleted',
    observe: 'our progress record, the directory, the trash, the ref',
    repair: 'continues from the recorded step',
    onAmbiguous: 'redo',
  },
  'run-session': {
    key: 'session',
    atomic: '`session-created`, then `go`',
    observe: "the keeper's files, its socket, its process and that of its program",
    repair: 'a keeper that never got `go` is replaced',
    onAmbiguous: 'adopt',
  },
  'stop-session': {
    key: 'session',
    atomic: 'never at once: signals escalate',
    observe: 'the process tree by cookie and ancestry',
    repair: 'the escalation continues; identity is checked before every signal',
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
    atomic: 'our record that typing began',
    observe: 'the record, the screen, and the status that the program reports',
    repair: 'none: what began before a crash is reported and never typed again',
    onAmbiguous: 'ask',
  },
  'ask-prompt': {
    key: 'attempt or round, and session',
    atomic: '`input-asked` is journaled',
    observe: 'whether the journal has the input of this attempt or round',
    repair: 'the file of the prompt is written again',
    onAmbiguous: 'redo',
  },
  'deliver-message': {
    key: 'task and number',
    atomic: "our record, or that of the agent's runner, that delivering began",
    observe: 'the record, the acknowledgement, and whether the session still runs',
    repair: 'what did not begin goes into the next prompt; what did is never delivered again',
    onAmbiguous: 'ask',
  },
  'read-plan': {
    key: 'run, round, request and session; of a planner in its own interface also the turn',
    atomic: 'the event is journaled',
    observe: "read-only: output, outcome, and the tree of the planner's worktree",
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'read-outcome': {
    key: 'attempt and session',
    atomic: 'the event is journaled',
    observe: 'read-only: exit status, outcome, output',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  capture: {
    key: 'attempt',
    atomic: 'the tree is written and a ref protects it',
    observe: 'the worktree, through a private index',
    repair: 'captured again',
    onAmbiguous: 'redo',
  },
  judge: {
    key: 'attempt and tree',
    atomic: 'the event is journaled',
    observe:
      'a pure function of the captured tree; files outside are compared with the earlier snapshot',
    repair: 'judged again',
    onAmbiguous: 'redo',
  },
  'read-check': {
    key: 'attempt, check and session',
    atomic: 'the event is journaled',
    observe: 'exit status and log of the session; tracked files against the checked tree',
    repair: 'files that the check changed are restored',
    onAmbiguous: 'redo',
  },
  'recall-baseline': {
    key: 'run and lookup count',
    atomic: 'the event is journaled',
    observe: 'read-only: our cache of earlier results',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
  'read-baseline': {
    key: 'run, check and session',
    atomic: 'the event is journaled',
    observe: 'exit status and log of the session; tracked files against the base',
    repair: 'files that the check changed are restored; the cached result is rewritten atomically',
    onAmbiguous: 'redo',
  },
  commit: {
    key: 'attempt and tree',
    atomic: 'compare-and-swap of the branch',
    observe: 'the branch: is it this very commit?',
    repair: 'our own stale locks are removed; the same content gives the same commit',
    onAmbiguous: 'redo',
  },
  'build-merge': {
    key: 'task, commit and tip',
    atomic: 'the ref that protects the candidate',
    observe: 'objects only',
    repair: 'the same content gives the same candidate; it is checked out again',
    onAmbiguous: 'redo',
  },
  'publish-merge': {
    key: 'task and candidate',
    atomic: "compare-and-swap of the run's branch",
    observe: "the run's branch: does it contain the candidate?",
    repair: 'reported as done; if somebody else moved the branch, a person is asked',
    onAmbiguous: 'redo',
  },
  'restore-branch': {
    key: 'run and found commit',
    atomic: "compare-and-swap of the run's branch",
    observe: "the run's branch: is it where the run left it?",
    repair: 'a ref protects what was found first; reported as done, or asked about again',
    onAmbiguous: 'redo',
  },
  'undo-accept': {
    key: 'run and accepted commit',
    atomic: "the user's branch moves back, as the last step",
    observe:
      "the user's branch: is it at the accepted commit? Then the list of paths, as in `bring-home`",
    repair: "written again from the list; anything else is the user's edit and stops it",
    onAmbiguous: 'redo',
  },
  'restore-worktree': {
    key: 'owner and removal',
    atomic: 'never at once: git needs many steps; nobody works in it before the event',
    observe: 'as `make-worktree`, and the ref with the content',
    repair: 'the content is laid out again from the ref',
    onAmbiguous: 'redo',
  },
  'bring-home': {
    key: 'run and commit',
    atomic: "the user's branch moves, as the last step",
    observe:
      'the list of paths with old and new content; each path is old, new, missing, or a prefix of the new',
    repair: "written again from the list; anything else is the user's edit and stops it",
    onAmbiguous: 'redo',
  },
  'write-summary': {
    key: 'task or run, and which of its endings',
    atomic: 'the rename',
    observe: 'the file',
    repair: 'rewritten atomically',
    onAmbiguous: 'redo',
  },
  'watch-service': {
    key: 'service and session',
    atomic: 'never: it only observes',
    observe: "the kernel's listeners, the log, a request",
    repair: 'nothing to repair',
    onAmbiguous: 'adopt',
  },
  wait: {
    key: 'its deadline',
    atomic: 'the event is journaled',
    observe: 'the clock',
    repair: 'nothing to repair',
    onAmbiguous: 'redo',
  },
};
