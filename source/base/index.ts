/**
 * The cellar: tiny helpers that every room may use.
 *
 * Not here: anything that knows what a task is; anything with a clock, a promise or Node in it.
 */
export {cutLine, displayWidth, headOf} from './display-width.ts';
export {isSame} from './is-same.ts';
export {emptyLedger, entriesOf, entryOf, withEntry} from './ledger.ts';
export type {Ledger} from './ledger.ts';
export {minuteOf} from './minute-of.ts';
export {nearest} from './nearest.ts';
export {parseHost} from './parse-host.ts';
export type {Host} from './parse-host.ts';
export {
  isLoopback,
  networkEntriesOf,
  networkProxyPort,
  parseNetworkEntry,
  usualPorts,
} from './parse-network-entry.ts';
export type {NetworkEntry, NetworkEntryReading} from './parse-network-entry.ts';
export type {Problem, Reading} from './reading.ts';
export {hiddenCharacter, sanitizeText} from './sanitize-text.ts';
export {shellWord} from './shell-word.ts';
export {sha256Of} from './sha256-of.ts';
export {without} from './without.ts';
export {wrapLine} from './wrap-line.ts';
