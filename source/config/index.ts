/**
 * Where orchestra's files are, and whether these places are safe to use.
 *
 * Not here: run state; who uses a place; text for people other than errors.
 */
export {
  type Account,
  parseTerminalSettings,
  readAccount,
  type TerminalSettings,
} from './environment.ts';
export {
  findCheckout,
  findRepository,
  getRealPath,
  headQuestion,
  parseRepositoryFacts,
  type GitRepository,
  type RepositoryFacts,
  repositoryQuestion,
} from './find-repository.ts';
export {findMovedState, type MovedState, recordRepository} from './moved-repository.ts';
export {
  findPreference,
  isPreference,
  parsePreference,
  type PreferenceName,
  preferenceNames,
  preferenceRows,
  type Preferences,
  preferencesDirectory,
  preferencesProblem,
  publicNameOf,
  readPreferences,
} from './preferences.ts';
export {
  type DirectoryFacts,
  type DirectoryRefusal,
  ensurePrivateDirectory,
  findDirectoryRefusal,
  inspectDirectory,
  UnsafeDirectoryError,
  type Writable,
} from './private-directory.ts';
export {
  chooseRuntimeDirectory,
  getSocketPath,
  maxSocketPathBytes,
  type Places,
  type RepositoryPlaces,
  resolvePlaces,
} from './resolve-places.ts';
export {type ChangedKeys, savePreferences} from './save-preferences.ts';
