import type {Binding} from '../binding.ts';
import {defaultLeaveKey} from '../chord.ts';

/** A pane that is typed into or scrolled. */
export const paneBindings: readonly Binding[] = [
  {
    in: 'typing',
    keys: [defaultLeaveKey],
    action: 'stop-typing',
    text: 'back to commands; every other key goes to the pane',
  },
  {in: 'scroll', keys: ['up', 'k'], action: 'up', text: 'up', isQuiet: true},
  {in: 'scroll', keys: ['down', 'j'], action: 'down', text: 'down', isQuiet: true},
  {in: 'scroll', keys: ['left', 'h'], action: 'left', text: 'to the left', isQuiet: true},
  {in: 'scroll', keys: ['right', 'l'], action: 'right', text: 'to the right', isQuiet: true},
  {
    in: 'scroll',
    keys: ['0', '^'],
    action: 'line-start',
    text: 'to the beginning of the line',
    isQuiet: true,
  },
  {in: 'scroll', keys: ['$'], action: 'line-end', text: 'to the end of the line', isQuiet: true},
  {
    in: 'scroll',
    keys: ['page-up', 'ctrl-u', 'b'],
    action: 'page-up',
    text: 'a page up',
    short: 'page up',
  },
  {
    in: 'scroll',
    keys: ['page-down', 'ctrl-d', 'space', 'f'],
    action: 'page-down',
    text: 'a page down',
    short: 'page down',
  },
  {in: 'scroll', keys: ['home', 'g'], action: 'first', text: 'to the beginning', isQuiet: true},
  {in: 'scroll', keys: ['end', 'G'], action: 'last', text: 'to the end', isQuiet: true},
  {in: 'scroll', keys: ['/'], action: 'search-pane', text: 'search'},
  {in: 'scroll', keys: ['n'], action: 'next-match', text: 'next match', isQuiet: true},
  {in: 'scroll', keys: ['N'], action: 'previous-match', text: 'match before', isQuiet: true},
  {in: 'scroll', keys: ['v'], action: 'mark', text: 'mark from here', short: 'mark'},
  {
    in: 'scroll',
    keys: ['V'],
    action: 'mark-lines',
    text: 'mark whole lines from here',
    isQuiet: true,
  },
  {in: 'scroll', keys: ['y', 'enter'], action: 'copy', text: 'copy what is marked', short: 'copy'},
  {in: 'scroll', keys: ['escape', 'q'], action: 'stop-scrolling', text: 'back to now'},
];
