import type {Deed} from './deed.ts';

/** Where a key works. The most special context that is open decides. */
export type Context =
  | 'command'
  | 'list'
  | 'workers'
  | 'start'
  | 'brief'
  | 'plan'
  | 'review'
  | 'services'
  | 'timeline'
  | 'audit'
  | 'knowledge'
  | 'settings'
  | 'keys'
  | 'need'
  | 'need-plan'
  | 'need-question'
  | 'need-secret'
  | 'need-stopped'
  | 'need-accept'
  | 'need-branch'
  | 'need-unstoppable'
  | 'need-loop'
  | 'need-planless'
  | 'need-empty'
  | 'need-halted'
  | 'need-budget'
  | 'need-service'
  | 'need-missing'
  | 'need-intrusion'
  | 'need-settled'
  | 'need-last'
  | 'field'
  | 'prompt'
  | 'palette'
  | 'confirm'
  | 'pressing'
  | 'typing'
  | 'scroll';

export type Binding = {
  readonly in: Context;
  /** Chords as `chordOf` writes them; the first is the one that is shown. */
  readonly keys: readonly string[];
  readonly does: Deed;
  readonly words: string;
  /** Approves, ends or gives something up: it waits a moment when the screen changed under the fingers. */
  readonly isGraced?: true;
  /** Fewer words for the status line. */
  readonly short?: string;
  /** Works, but is not worth room in the status line. */
  readonly isQuiet?: true;
  /** Stays as it is, whatever the person prefers: the key itself says what is meant, or it is the way out of choosing keys. */
  readonly isFixed?: true;
  /** The name of the setting by which the person changed it. */
  readonly own?: string;
};

/**
 * The one table of keys, as they are for whoever has changed none (`keymapOf`). A deed is bound once in each context, and both names
 * are public: `workers.zoom` in the settings is the binding of `zoom` in `workers`. Help, the status line, the palette and the
 * documents come from it; `docs/app.md` is checked against it by a test. Letters in capitals decide something, small ones only look.
 */
export const keymap: readonly Binding[] = [
  {in: 'workers', keys: ['enter', 'i'], does: 'type', words: 'type into the pane', short: 'type'},
  {in: 'workers', keys: ['z'], does: 'zoom', words: 'zoom'},
  {in: 'workers', keys: ['tab'], does: 'next-pane', words: 'next pane'},
  {
    in: 'workers',
    keys: ['shift-tab'],
    does: 'previous-pane',
    words: 'previous pane',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['alt-left', 'shift-left'],
    does: 'pane-left',
    words: 'pane to the left',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['alt-right', 'shift-right'],
    does: 'pane-right',
    words: 'pane to the right',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['alt-up', 'shift-up'],
    does: 'pane-up',
    words: 'pane above',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['alt-down', 'shift-down'],
    does: 'pane-down',
    words: 'pane below',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['1', '2', '3', '4', '5', '6'],
    does: 'numbered-pane',
    words: 'pane of that number',
    isQuiet: true,
    isFixed: true,
  },
  {in: 'workers', keys: ['+'], does: 'more-panes', words: 'more panes', isQuiet: true},
  {in: 'workers', keys: ['-'], does: 'fewer-panes', words: 'fewer panes', isQuiet: true},
  {in: 'workers', keys: ['['], does: 'scroll', words: 'scroll back'},
  {in: 'workers', keys: ['/'], does: 'search-pane', words: 'search in the pane', isQuiet: true},
  {
    in: 'workers',
    keys: ['a'],
    does: 'attach',
    words: 'the whole terminal; what leaves typing comes back',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['v'],
    does: 'other-terminal',
    words: 'its other terminals: agent, checks',
    short: 'other terminals',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['F'],
    does: 'follow-needy',
    words: 'follow whoever needs you, on or off',
    isQuiet: true,
  },
  {in: 'workers', keys: ['X'], does: 'stop', words: 'stop it', isGraced: true, isQuiet: true},
  {
    in: 'workers',
    keys: ['R'],
    does: 'resume',
    words: 'resume, or try a waiting agent now',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['T'],
    does: 'take-over',
    words: 'take the task over',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['H'],
    does: 'hand-back',
    words: 'hand the task back to be checked',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['L'],
    does: 'hand-to-agent',
    words: 'let its agent go on with what you took over',
    short: 'its agent goes on',
    isQuiet: true,
  },
  {in: 'workers', keys: ['D'], does: 'discard', words: 'discard it', isGraced: true, isQuiet: true},
  {
    in: 'workers',
    keys: ['c'],
    does: 'note',
    words: 'leave words for whoever works on it',
    short: 'note',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['B'],
    does: 'reset',
    words: 'its agent begins anew, in a fresh context',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['V'],
    does: 'environment',
    words: 'the environment of its run, and taking yours',
    short: 'environment',
    isQuiet: true,
  },
  {
    in: 'workers',
    keys: ['!'],
    does: 'start-command',
    words: 'a shell or a command of yours, in a terminal of its own',
    short: 'a shell',
    isQuiet: true,
  },
  {in: 'workers', keys: ['<'], does: 'queue-earlier', words: 'earlier in the queue', isQuiet: true},
  {in: 'workers', keys: ['>'], does: 'queue-later', words: 'later in the queue', isQuiet: true},

  {in: 'start', keys: ['enter', 'i', 'o'], does: 'write-objective', words: 'write the objective'},
  {
    in: 'start',
    keys: ['I'],
    does: 'prepare-repository',
    words: 'prepare the repository',
    isGraced: true,
  },

  {in: 'brief', keys: ['enter', 'space'], does: 'back', words: 'go on where you were'},

  {
    in: 'start',
    keys: ['S'],
    does: 'share-dependencies',
    words: 'give tasks the dependencies of your checkout: writes share into the project file',
    short: 'share',
    isGraced: true,
  },
  {
    in: 'plan',
    keys: ['S'],
    does: 'share-dependencies',
    words: 'give tasks the dependencies of your checkout: writes share into the project file',
    short: 'share',
    isGraced: true,
  },
  {
    in: 'plan',
    keys: ['A'],
    does: 'approve',
    words: 'approve: workers start',
    short: 'approve',
    isGraced: true,
  },
  {in: 'plan', keys: ['e'], does: 'edit-plan', words: 'edit'},
  {in: 'plan', keys: ['X'], does: 'reject-plan', words: 'reject with a reason', short: 'reject'},
  {
    in: 'plan',
    keys: ['c', 'enter'],
    does: 'comment-line',
    words: 'comment on the line, or edit the comment there',
    short: 'comment',
  },
  {in: 'plan', keys: ['x'], does: 'drop-comment', words: 'take the comment back', isQuiet: true},

  {
    in: 'plan',
    keys: ['M'],
    does: 'baseline-mend',
    words: 'mend what is red on the base by a first task',
    short: 'mend',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'plan',
    keys: ['I'],
    does: 'baseline-ignore',
    words: 'do not run in this run what is red on the base',
    short: 'ignore',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'plan',
    keys: ['N'],
    does: 'baseline-no-new',
    words: 'accept what failed on the base, and nothing new',
    short: 'no new',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'plan',
    keys: ['C'],
    does: 'baseline-count',
    words: 'count what is red on the base: the plan makes it green',
    short: 'count',
    isGraced: true,
    isQuiet: true,
  },
  {
    in: 'plan',
    keys: ['B'],
    does: 'baseline-again',
    words: 'check the base again',
    short: 'base again',
    isGraced: true,
    isQuiet: true,
  },

  {in: 'need-plan', keys: ['enter', 'v'], does: 'see-plan', words: 'read the plan'},
  {
    in: 'need-question',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    does: 'option',
    words: 'give the answer of that number',
    short: 'answers',
    isFixed: true,
  },
  {in: 'need-question', keys: ['enter'], does: 'answer', words: 'write an answer', short: 'write'},
  {in: 'need-question', keys: ['i'], does: 'type', words: 'type into its pane', short: 'type'},
  {
    in: 'need-secret',
    keys: ['enter', 'i'],
    does: 'type',
    words: 'type the secret into its pane, unseen',
  },
  {
    in: 'need-stopped',
    keys: ['G'],
    does: 'grant',
    words: 'one more attempt, with a hint',
    short: 'grant with a hint',
  },
  {in: 'need-stopped', keys: ['T'], does: 'take-over', words: 'take over', isGraced: true},
  {in: 'need-stopped', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {in: 'need-stopped', keys: ['v'], does: 'see-diff', words: 'what it changed'},
  {in: 'need-accept', keys: ['v', 'enter'], does: 'see-diff', words: 'look at the diff'},
  {
    in: 'need-accept',
    keys: ['A'],
    does: 'accept',
    words: 'accept into your branch',
    short: 'accept',
    isGraced: true,
  },
  {
    in: 'need-accept',
    keys: ['P'],
    does: 'propose',
    words: 'open a pull request instead',
    short: 'pull request',
    isGraced: true,
  },
  {in: 'need-accept', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {
    in: 'need-branch',
    keys: ['A'],
    does: 'adopt-branch',
    words: 'take over what is there',
    short: 'take over',
    isGraced: true,
  },
  {
    in: 'need-branch',
    keys: ['B'],
    does: 'restore-branch',
    words: 'put the branch back, and keep what is there',
    short: 'put back',
    isGraced: true,
  },
  {in: 'need-branch', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {
    in: 'need-unstoppable',
    keys: ['enter', 'i'],
    does: 'type',
    words: 'type into its pane',
    short: 'type',
  },
  {
    in: 'need-loop',
    keys: ['S'],
    does: 'seen',
    words: 'let it go on; this is not asked again',
    short: 'go on',
    isGraced: true,
  },
  {in: 'need-loop', keys: ['X'], does: 'stop', words: 'stop it', isGraced: true},
  {in: 'need-loop', keys: ['T'], does: 'take-over', words: 'take over', isGraced: true},
  {
    in: 'need-loop',
    keys: ['c'],
    does: 'note',
    words: 'leave words for whoever works on it',
    short: 'words',
  },
  {in: 'need-planless', keys: ['P'], does: 'plan-again', words: 'plan again, with your words'},
  {in: 'need-planless', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {in: 'need-empty', keys: ['D'], does: 'discard', words: 'discard the run', isGraced: true},
  {in: 'need-halted', keys: ['R'], does: 'resume', words: 'resume', isGraced: true},
  {in: 'need-halted', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {
    in: 'need-budget',
    keys: ['M'],
    does: 'more-budget',
    words: 'go on with twice as much',
    isGraced: true,
  },
  {in: 'need-budget', keys: ['u'], does: 'screen-audit', words: 'what it was spent on'},
  {in: 'need-budget', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {
    in: 'need-service',
    keys: ['R'],
    does: 'restart-service',
    words: 'start it again',
    isGraced: true,
  },
  {in: 'need-service', keys: ['X'], does: 'stop-service', words: 'do without it', isGraced: true},
  {
    in: 'need-missing',
    keys: ['S'],
    does: 'start-service',
    words: 'start the service',
    isGraced: true,
  },
  {in: 'need-missing', keys: ['D'], does: 'discard', words: 'discard the task', isGraced: true},
  {in: 'need-intrusion', keys: ['S'], does: 'seen', words: 'you have seen it', isGraced: true},
  {in: 'need-settled', keys: ['enter'], does: 'next-need', words: 'next'},
  {in: 'need-last', keys: ['enter'], does: 'back', words: 'back to where you were', short: 'back'},
  {in: 'need', keys: ['n'], does: 'next-need', words: 'next'},
  {in: 'need', keys: ['N'], does: 'previous-need', words: 'previous'},

  {
    in: 'review',
    keys: ['tab'],
    does: 'other-side',
    words: 'to the files, or to the diff',
    short: 'files',
  },
  {in: 'review', keys: [']'], does: 'next-file', words: 'next file'},
  {in: 'review', keys: ['['], does: 'previous-file', words: 'previous file', isQuiet: true},
  {
    in: 'review',
    keys: ['c', 'enter'],
    does: 'comment-line',
    words: 'comment on the line, or edit the comment there',
    short: 'comment',
  },
  {in: 'review', keys: ['x'], does: 'drop-comment', words: 'take the comment back', isQuiet: true},
  {
    in: 'review',
    keys: ['S'],
    does: 'send-comments',
    words: 'send all comments at once',
    short: 'send comments',
  },
  {in: 'review', keys: ['A'], does: 'accept', words: 'accept', isGraced: true},
  {
    in: 'review',
    keys: ['P'],
    does: 'propose',
    words: 'open a pull request instead',
    isGraced: true,
    isQuiet: true,
  },
  {in: 'review', keys: ['D'], does: 'discard', words: 'discard', isGraced: true},
  {
    in: 'review',
    keys: ['v'],
    does: 'next-subject',
    words: 'next task, or the run',
    short: 'next task',
  },

  {in: 'services', keys: ['enter'], does: 'see-pane', words: 'its pane'},
  {in: 'services', keys: ['S'], does: 'start-service', words: 'start', isGraced: true},
  {in: 'services', keys: ['R'], does: 'restart-service', words: 'restart', isGraced: true},
  {in: 'services', keys: ['X'], does: 'stop-service', words: 'stop', isGraced: true},

  {
    in: 'timeline',
    keys: ['enter'],
    does: 'see-moment',
    words: 'the moment in its recording',
    short: 'see it',
  },
  {
    in: 'timeline',
    keys: ['a'],
    does: 'all-events',
    words: 'everything, or what matters',
    short: 'all',
  },
  {in: 'audit', keys: ['v'], does: 'next-subject', words: 'next run'},
  {in: 'knowledge', keys: ['/', 'i'], does: 'search', words: 'search'},
  {in: 'knowledge', keys: ['enter'], does: 'open', words: 'read it'},
  {in: 'settings', keys: ['enter', 'space', 'right'], does: 'change-setting', words: 'change'},
  {
    in: 'keys',
    keys: ['enter'],
    does: 'change-key',
    words: 'press another key for it',
    short: 'change',
  },
  {
    in: 'keys',
    keys: ['x', 'backspace'],
    does: 'usual-key',
    words: 'back to the usual key',
    short: 'the usual key',
  },
  {
    in: 'keys',
    keys: ['d', 'delete'],
    does: 'no-key',
    words: 'no key for it; the commands still have it',
    short: 'no key',
  },

  {in: 'list', keys: ['down', 'j'], does: 'down', words: 'down', isQuiet: true},
  {in: 'list', keys: ['up', 'k'], does: 'up', words: 'up', isQuiet: true},
  {
    in: 'list',
    keys: ['page-down', 'ctrl-d', 'space'],
    does: 'page-down',
    words: 'a page down',
    isQuiet: true,
  },
  {in: 'list', keys: ['page-up', 'ctrl-u'], does: 'page-up', words: 'a page up', isQuiet: true},
  {in: 'list', keys: ['home', 'g'], does: 'first', words: 'to the beginning', isQuiet: true},
  {in: 'list', keys: ['end', 'G'], does: 'last', words: 'to the end', isQuiet: true},

  {in: 'command', keys: ['n'], does: 'next-need', words: 'what needs you', short: 'needs you'},
  {in: 'command', keys: ['o'], does: 'new-objective', words: 'new objective', short: 'objective'},
  {in: 'command', keys: ['w'], does: 'screen-workers', words: 'workers'},
  {in: 'command', keys: ['p'], does: 'screen-plan', words: 'plan'},
  {in: 'command', keys: ['r'], does: 'screen-review', words: 'review'},
  {in: 'command', keys: ['s'], does: 'screen-services', words: 'services', isQuiet: true},
  {in: 'command', keys: ['t'], does: 'screen-timeline', words: 'timeline', isQuiet: true},
  {in: 'command', keys: ['u'], does: 'screen-audit', words: 'tokens used', isQuiet: true},
  {
    in: 'command',
    keys: ['f'],
    does: 'screen-knowledge',
    words: 'find what was learnt',
    isQuiet: true,
  },
  {in: 'command', keys: ['b'], does: 'screen-brief', words: 'brief: what happened', isQuiet: true},
  {in: 'command', keys: [','], does: 'screen-settings', words: 'settings', isQuiet: true},
  {in: 'command', keys: ['m'], does: 'screen-keys', words: 'change keys', isQuiet: true},
  {in: 'command', keys: ['N'], does: 'previous-need', words: 'the need before', isQuiet: true},
  {in: 'command', keys: ['escape'], does: 'back', words: 'back', isQuiet: true},
  {in: 'command', keys: [':'], does: 'palette', words: 'commands'},
  {in: 'command', keys: ['?'], does: 'help', words: 'keys'},
  {
    in: 'command',
    keys: ['q', 'ctrl-c'],
    does: 'quit',
    words: 'leave; everything goes on',
    short: 'leave',
  },
  {
    in: 'command',
    keys: ['ctrl-z'],
    does: 'suspend',
    words: 'put the app aside, as the shell does',
    isQuiet: true,
  },
  {in: 'command', keys: ['ctrl-l'], does: 'redraw', words: 'draw everything anew', isQuiet: true},

  {
    in: 'typing',
    keys: ['ctrl-]'],
    does: 'stop-typing',
    words: 'back to commands; every other key goes to the pane',
  },

  {in: 'scroll', keys: ['up', 'k'], does: 'up', words: 'up', isQuiet: true},
  {in: 'scroll', keys: ['down', 'j'], does: 'down', words: 'down', isQuiet: true},
  {in: 'scroll', keys: ['left', 'h'], does: 'left', words: 'to the left', isQuiet: true},
  {in: 'scroll', keys: ['right', 'l'], does: 'right', words: 'to the right', isQuiet: true},
  {
    in: 'scroll',
    keys: ['0', '^'],
    does: 'line-start',
    words: 'to the beginning of the line',
    isQuiet: true,
  },
  {in: 'scroll', keys: ['$'], does: 'line-end', words: 'to the end of the line', isQuiet: true},
  {
    in: 'scroll',
    keys: ['page-up', 'ctrl-u', 'b'],
    does: 'page-up',
    words: 'a page up',
    short: 'page up',
  },
  {
    in: 'scroll',
    keys: ['page-down', 'ctrl-d', 'space', 'f'],
    does: 'page-down',
    words: 'a page down',
    short: 'page down',
  },
  {in: 'scroll', keys: ['home', 'g'], does: 'first', words: 'to the beginning', isQuiet: true},
  {in: 'scroll', keys: ['end', 'G'], does: 'last', words: 'to the end', isQuiet: true},
  {in: 'scroll', keys: ['/'], does: 'search-pane', words: 'search'},
  {in: 'scroll', keys: ['n'], does: 'next-match', words: 'next match', isQuiet: true},
  {in: 'scroll', keys: ['N'], does: 'previous-match', words: 'match before', isQuiet: true},
  {in: 'scroll', keys: ['v'], does: 'mark', words: 'mark from here', short: 'mark'},
  {
    in: 'scroll',
    keys: ['V'],
    does: 'mark-lines',
    words: 'mark whole lines from here',
    isQuiet: true,
  },
  {in: 'scroll', keys: ['y', 'enter'], does: 'copy', words: 'copy what is marked', short: 'copy'},
  {in: 'scroll', keys: ['escape', 'q'], does: 'stop-scrolling', words: 'back to now'},

  {
    in: 'prompt',
    keys: ['enter'],
    does: 'submit',
    words: 'begin: the planner reads, and writes nothing',
    short: 'begin',
  },
  {
    in: 'prompt',
    keys: ['ctrl-q'],
    does: 'queue-objective',
    words: 'into the queue: it begins when there is room',
    short: 'queue',
  },
  {in: 'prompt', keys: ['up'], does: 'older', words: 'earlier objectives', short: 'earlier'},
  {in: 'prompt', keys: ['down'], does: 'newer', words: 'later objectives', isQuiet: true},
  {in: 'prompt', keys: ['tab'], does: 'next-agent', words: 'another agent', short: 'agent'},
  {in: 'prompt', keys: ['shift-tab'], does: 'next-model', words: 'another model', short: 'model'},
  {
    in: 'prompt',
    keys: ['ctrl-o'],
    does: 'name-model',
    words: 'write the name of a model',
    isQuiet: true,
  },
  {
    in: 'prompt',
    keys: ['ctrl-p'],
    does: 'next-planner',
    words: 'another agent to plan',
    isQuiet: true,
  },
  {
    in: 'prompt',
    keys: ['ctrl-t'],
    does: 'next-planner-model',
    words: 'another model for a planner that is another agent',
    isQuiet: true,
  },
  {
    in: 'prompt',
    keys: ['ctrl-g'],
    does: 'name-planner-model',
    words: 'write the name of its model',
    isQuiet: true,
  },
  {
    in: 'prompt',
    keys: ['ctrl-s'],
    does: 'next-skill',
    words: 'a skill for everybody who works on it',
    isQuiet: true,
  },
  {in: 'prompt', keys: ['escape', 'ctrl-c'], does: 'leave-field', words: 'commands'},
  {in: 'palette', keys: ['enter'], does: 'submit', words: 'do it'},
  {in: 'palette', keys: ['down', 'tab'], does: 'down', words: 'next'},
  {in: 'palette', keys: ['up', 'shift-tab'], does: 'up', words: 'previous', isQuiet: true},
  {in: 'palette', keys: ['escape', 'ctrl-c'], does: 'leave-field', words: 'close'},
  {in: 'field', keys: ['enter'], does: 'submit', words: 'send'},
  {in: 'field', keys: ['escape', 'ctrl-c'], does: 'leave-field', words: 'give it up'},
  {in: 'confirm', keys: ['y'], does: 'confirm', words: 'yes', isGraced: true},
  {
    in: 'confirm',
    keys: ['w'],
    does: 'next-way',
    words: 'another way to accept: merge, squash, squash-tasks, rebase',
    short: 'another way',
  },
  {in: 'confirm', keys: ['n', 'escape', 'q'], does: 'leave-confirm', words: 'no'},
  {in: 'pressing', keys: ['escape'], does: 'keep-key', words: 'leave it as it is', isFixed: true},
];

/** What each context is called in help. */
export const contextWords: Readonly<Record<Context, string>> = {
  command: 'Everywhere',
  list: 'In lists and texts',
  workers: 'Workers',
  start: 'At the beginning',
  brief: 'Brief',
  plan: 'Plan',
  review: 'Review',
  services: 'Services',
  timeline: 'Timeline',
  audit: 'Tokens used',
  knowledge: 'What was learnt',
  settings: 'Settings',
  keys: 'Changing keys',
  need: 'What needs you',
  'need-plan': 'Needs you: a plan',
  'need-question': 'Needs you: a question',
  'need-secret': 'Needs you: a secret',
  'need-stopped': 'Needs you: a task stopped',
  'need-accept': 'Needs you: done, to be accepted',
  'need-branch': "Needs you: the run's branch was moved",
  'need-unstoppable': 'Needs you: a process does not end',
  'need-loop': 'Needs you: an agent goes in circles',
  'need-planless': 'Needs you: no plan came',
  'need-empty': 'Needs you: nothing is left',
  'need-halted': 'Needs you: trouble',
  'need-budget': 'Needs you: the budget is used up',
  'need-service': 'Needs you: a service',
  'need-missing': 'Needs you: a service is missing',
  'need-intrusion': 'Needs you: an agent went too far',
  'need-settled': 'Needs you: settled meanwhile',
  'need-last': 'Needs you: nothing any more',
  field: 'Writing a line',
  prompt: 'Writing the objective',
  palette: 'Commands',
  confirm: 'Asked once more',
  pressing: 'Asked for a key',
  typing: 'Typing into a pane',
  scroll: 'Scrolling back in a pane',
};

/** The contexts in the order in which a list of all keys has them: what holds everywhere first. */
export const contextOrder: readonly Context[] = [
  'command',
  'list',
  ...new Set(
    keymap
      .map(({in: context}) => context)
      .filter((context) => context !== 'command' && context !== 'list'),
  ),
];
