import {sanitizeText} from '../base/index.ts';
import {formatJson} from '../documents/index.ts';
import {isPreference, keepPreferences, preferenceNames, preferenceRows, preferencesDirectory, readAccount, readPreferences, type PreferenceName} from '../settings/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

/** `orchestra settings [NAME [VALUE]]`: how the person likes it, in every repository. */
export function preferences(name: string | undefined, value: string | undefined, options: {readonly json?: boolean}, surroundings: Surroundings): ExitCode {
  const directory = preferencesDirectory(readAccount(surroundings.env), surroundings.env);
  const known = name === undefined ? undefined : nameOf(name);
  if (known !== undefined && value !== undefined) keep(directory, known, value);
  const now = readPreferences(directory);
  const shown = known === undefined ? preferenceNames : [known];
  if (options.json === true) surroundings.out(formatJson(Object.fromEntries(shown.map((one) => [one, now[one]]))));
  else surroundings.out(shown.map((one) => lineOf(one, String(now[one]))).join(''));
  return 0;
}

function nameOf(name: string): PreferenceName {
  const known = preferenceNames.find((one) => one === name);
  if (known === undefined) throw new Impossible(`there is no setting ${JSON.stringify(name)}; there are ${preferenceNames.join(', ')}`);
  return known;
}

function keep(directory: string, name: PreferenceName, text: string): void {
  const value = text === 'true' || text === 'yes' ? true : text === 'false' || text === 'no' ? false : text;
  if (!isPreference(name, value)) {
    const {values} = preferenceRows[name] as {readonly values?: readonly unknown[]};
    throw new Impossible(`expected ${name} to be ${values === undefined ? 'a text of at most 4000 characters' : values.map(String).join(', ')}, got ${JSON.stringify(text)}`);
  }

  try {
    keepPreferences(directory, {[name]: value});
  } catch (error) {
    throw new Impossible(`the settings in ${directory} were left as they are: ${error instanceof Error ? error.message : String(error)}`, {cause: error});
  }
}

function lineOf(name: PreferenceName, value: string): string {
  return `${name.padEnd(13)} ${(value === '' ? '–' : sanitizeText(value)).padEnd(8)} ${preferenceRows[name].words}\n`;
}
