import type {ActionName} from '../keymap/action-name.ts';

/**
 * Actions that change something but are not guarded: they can be undone, or open a text field
 * first.
 */
export const decidingActions: ReadonlySet<ActionName> = new Set<ActionName>([
  'option',
  'answer',
  'grant',
  'reject-plan',
  'plan-again',
  'send-comments',
  'edit-plan',
  'comment-line',
  'choose-way',
  'take-way',
  'open-demo',
  'new-objective',
  'write-objective',
  'type',
  'note',
  'hand-to-agent',
  'start-command',
  'queue-earlier',
  'queue-later',
]);
