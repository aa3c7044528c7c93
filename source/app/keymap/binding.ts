import type {ActionName} from './action-name.ts';

/** Where a key works. Of the active contexts the most specific one wins. */
export type Context =
  | 'command'
  | 'list'
  | 'workers'
  | 'start'
  | 'ways'
  | 'brief'
  | 'plan'
  | 'review'
  | 'variants'
  | 'services'
  | 'timeline'
  | 'audit'
  | 'accepted'
  | 'knowledge'
  | 'settings'
  | 'keys'
  | 'help'
  | 'need'
  | 'need-plan'
  | 'need-question'
  | 'need-secret'
  | 'need-stopped'
  | 'need-turn'
  | 'need-pick'
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
  /** Chords as `toChord` writes them. The first one is shown. */
  readonly keys: readonly string[];
  readonly action: ActionName;
  readonly text: string;
  /** Decides something, so it is blocked for a moment after the screen changed by itself. */
  readonly isGuarded?: true;
  /** A shorter text for the status line. */
  readonly short?: string;
  /** Not shown in the status line. */
  readonly isQuiet?: true;
  /**
   * Cannot be changed: the key is the meaning (a digit), or it leaves the screen that changes keys.
   */
  readonly isFixed?: true;
  /**
   * The key came later than settings that people may have: where one of them has the key for
   * something else, it stays theirs.
   */
  readonly yields?: true;
  /** The setting that changed it. */
  readonly own?: string;
};

/** The headings of contexts in help. */
export const contextLabels: Readonly<Record<Context, string>> = {
  command: 'Everywhere',
  list: 'In lists and texts',
  workers: 'Work',
  start: 'Start',
  ways: 'Start, without an agent',
  brief: 'Brief',
  plan: 'Plan',
  review: 'Review',
  variants: 'Variants',
  services: 'Services',
  timeline: 'Timeline',
  audit: 'Cost',
  accepted: 'Accepted',
  knowledge: 'Notes',
  settings: 'Settings',
  keys: 'Changing keys',
  help: 'Help',
  need: 'What needs you',
  'need-plan': 'Needs you: a plan',
  'need-question': 'Needs you: a question',
  'need-secret': 'Needs you: a secret',
  'need-stopped': 'Needs you: a task stopped',
  'need-turn': 'Needs you: an agent waits for you',
  'need-pick': 'Needs you: variants to pick from',
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
  confirm: 'In a dialog',
  pressing: 'Asked for a key',
  typing: 'Typing into a pane',
  scroll: 'Scrolling back in a pane',
};
