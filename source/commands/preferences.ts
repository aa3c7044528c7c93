import {sanitizeText} from '../base/index.ts';
import {formatJson} from '../documents/index.ts';
import {
  isPreference,
  keepPreferences,
  preferenceNames,
  preferenceRows,
  preferencesDirectory,
  preferencesProblem,
  readAccount,
  readPreferences,
  type ChangedKeys,
  type PreferenceName,
  type Preferences,
} from '../settings/index.ts';
import {
  changedKeys,
  checkKeyName,
  keysReport,
  ownKeys,
  problemsInWords,
  showKeys,
} from './preferences-keys.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

/** `orchestra settings [NAME [VALUE…]]`: how the person likes it, in every repository. `keys.NAME` is one of the keys. */
export function preferences(
  name: string | undefined,
  values: readonly string[],
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): ExitCode {
  const directory = preferencesDirectory(readAccount(surroundings.env), surroundings.env);
  const ofKey =
    name === 'keys'
      ? ''
      : name?.startsWith('keys.') === true
        ? name.slice('keys.'.length)
        : undefined;
  if (ofKey !== undefined)
    return preferencesOfKeys(directory, ofKey, values, options, surroundings);
  const known = name === undefined ? undefined : nameOf(name);
  if (known !== undefined && values.length > 0) keep(directory, {[known]: valueOf(known, values)});
  const now = readPreferences(directory);
  const shown = known === undefined ? preferenceNames : [known];
  if (options.json === true)
    surroundings.out(
      formatJson(
        Object.fromEntries(shown.map((one) => [one, one === 'keys' ? ownKeys(now) : now[one]])),
      ),
    );
  else surroundings.out(shown.map((one) => lineOf(one, now)).join(''));
  if (known === undefined) tell(now, directory, options, surroundings);
  return 0;
}

function preferencesOfKeys(
  directory: string,
  name: string,
  values: readonly string[],
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): ExitCode {
  if (values.length > 0)
    keep(directory, {keys: changedKeys(readPreferences(directory), name, values)});
  else checkKeyName(readPreferences(directory), name);
  const now = readPreferences(directory);
  if (options.json === true) surroundings.out(formatJson(keysReport(now, name)));
  // Who took all of theirs back does not ask for the whole list.
  else
    surroundings.out(
      name === '' && values.length > 0
        ? 'All keys are the usual ones again.\n'
        : showKeys(now, name),
    );
  if (name === '') tell(now, directory, options, surroundings);
  return 0;
}

/** What is written there and counts as not said. In JSON the keys say it themselves; beside it stands nothing else. */
function tell(
  now: Preferences,
  directory: string,
  {json}: {readonly json?: boolean},
  {out, err}: Surroundings,
): void {
  const problem = preferencesProblem(directory);
  (json === true ? err : out)(
    problem === undefined ? problemsInWords(now) : `! ${sanitizeText(problem)}\n`,
  );
}

function nameOf(name: string): PreferenceName {
  const known = preferenceNames.find((one) => one === name);
  if (known === undefined)
    throw new Impossible(
      `there is no setting ${JSON.stringify(name)}; there are ${preferenceNames.join(', ')}`,
    );
  return known;
}

function valueOf(name: PreferenceName, [text = '', ...more]: readonly string[]): unknown {
  if (more.length > 0)
    throw new Impossible(
      `expected one value for ${name}, got ${more.length + 1}; one with spaces stands in quotes`,
    );
  const value =
    text === 'true' || text === 'yes' ? true : text === 'false' || text === 'no' ? false : text;
  if (isPreference(name, value)) return value;
  const {values} = preferenceRows[name] as {readonly values?: readonly unknown[]};
  throw new Impossible(
    `expected ${name} to be ${values === undefined ? 'a text of at most 4000 characters' : values.map(String).join(', ')}, got ${JSON.stringify(text)}`,
  );
}

function keep(
  directory: string,
  changed: Partial<Omit<Preferences, 'keys'>> & {readonly keys?: ChangedKeys},
): void {
  try {
    keepPreferences(directory, changed);
  } catch (error) {
    throw new Impossible(
      `the settings in ${directory} were left as they are: ${error instanceof Error ? error.message : String(error)}`,
      {cause: error},
    );
  }
}

function lineOf(name: PreferenceName, now: Preferences): string {
  const own = Object.keys(ownKeys(now)).length;
  const value = name === 'keys' ? (own === 0 ? '' : `${own} yours`) : String(now[name]);
  return `${name.padEnd(13)} ${(value === '' ? '–' : sanitizeText(value)).padEnd(8)} ${preferenceRows[name].words}\n`;
}
