/**
 * Where things live, and whether what stands there may be trusted.
 *
 * Not here: run state; who uses a place; words for people, but in errors and refusals.
 */
export {chooseRuntimeDirectory} from './choose-runtime-directory.ts';
export {UnsafeDirectoryError, ensurePrivateDirectory} from './ensure-private-directory.ts';
export type {Environment} from './environment.ts';
export {findCheckout, realPathOf} from './find-checkout.ts';
export type {Repository} from './find-repository.ts';
export {findRepository} from './find-repository.ts';
export type {DirectoryFacts, Writable} from './inspect-directory.ts';
export {inspectDirectory} from './inspect-directory.ts';
export {makeDirectories} from './make-directories.ts';
export type {MovedState} from './moved-repository.ts';
export {findMovedState, recordRepository} from './moved-repository.ts';
export type {Places, RepositoryPlaces} from './places-of.ts';
export {longestSocketPath, placesOf, socketPathOf} from './places-of.ts';
export {keepPreferences} from './keep-preferences.ts';
export type {ChangedKeys} from './keep-preferences.ts';
export {
  isPreference,
  preferenceNames,
  preferenceRows,
  preferencesDirectory,
  preferencesProblem,
  readPreferences,
} from './preferences.ts';
export type {PreferenceName, Preferences} from './preferences.ts';
export type {Account} from './read-account.ts';
export {readAccount} from './read-account.ts';
export type {RepositoryFacts} from './read-repository.ts';
export {headQuestion, readRepository, repositoryQuestion} from './read-repository.ts';
export type {TerminalSettings} from './read-terminal.ts';
export {readTerminal} from './read-terminal.ts';
export type {Refusal} from './refusal-of.ts';
export {refusalOf} from './refusal-of.ts';
