import {errorText, sanitizeText} from '../shared/index.ts';
import {formatJson} from '../reports/index.ts';
import {
  type ChangedKeys,
  findPreference,
  parsePreference,
  type PreferenceName,
  preferenceNames,
  preferenceRows,
  type Preferences,
  preferencesDirectory,
  preferencesProblem,
  publicNameOf,
  readAccount,
  readPreferences,
  savePreferences,
} from '../config/index.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {
  type Binding,
  buildKeymap,
  changeKeys,
  contextLabels,
  contextOrder,
  keymap,
  toBindingName,
} from '../app/index.ts';

/**
 * `orchestra settings [NAME [VALUE…]]`: the person's preferences for all repositories. `keys.NAME`
 * is one key binding.
 */
export function preferences(
  name: string | undefined,
  values: readonly string[],
  options: {readonly json?: boolean},
  cli: CliContext,
): ExitCode {
  const directory = preferencesDirectory(readAccount(cli.env), cli.env);
  if (name === 'keys' || name?.startsWith('keys.') === true)
    return preferencesOfKeys(directory, name.slice('keys.'.length), values, options, cli);
  const known = name === undefined ? undefined : parseName(name);
  if (known !== undefined && values.length > 0)
    save(directory, {[known]: parseValue(known, values)});
  const now = readPreferences(directory);
  const shown = known === undefined ? preferenceNames : [known];
  if (options.json === true)
    cli.out(
      formatJson(
        Object.fromEntries(
          shown.flatMap((one) => {
            const value = one === 'keys' ? ownKeys(now) : now[one];
            // Scripts may know a setting by its old name.
            return [one, publicNameOf(one)].map((name) => [name, value]);
          }),
        ),
      ),
    );
  else cli.out(formatPreferences(shown, now));
  if (known === undefined) printProblems(now, directory, options, cli);
  return 0;
}

function preferencesOfKeys(
  directory: string,
  name: string,
  values: readonly string[],
  options: {readonly json?: boolean},
  cli: CliContext,
): ExitCode {
  if (values.length > 0)
    save(directory, {keys: changedKeys(readPreferences(directory), name, values)});
  else checkKeyName(readPreferences(directory), name);
  const now = readPreferences(directory);
  if (options.json === true) cli.out(formatJson(keysReport(now, name)));
  // After resetting all keys, the whole list is not printed.
  else
    cli.out(
      name === '' && values.length > 0
        ? 'All keys have their defaults again.\n'
        : formatKeymap(now, name),
    );
  if (name === '') printProblems(now, directory, options, cli);
  return 0;
}

/**
 * Prints values that are invalid and therefore ignored. In JSON the key bindings contain this
 * themselves.
 */
function printProblems(
  now: Preferences,
  directory: string,
  {json}: {readonly json?: boolean},
  {out, err}: CliContext,
): void {
  const problem = preferencesProblem(directory);
  (json === true ? err : out)(
    problem === undefined ? formatKeymapProblems(now) : `! ${sanitizeText(problem)}\n`,
  );
}

function parseName(name: string): PreferenceName {
  const known = findPreference(name);
  if (known === undefined)
    throw new UsageError(
      `there is no setting ${JSON.stringify(name)}; there are ${preferenceNames.map(publicNameOf).join(', ')}`,
    );
  return known;
}

const switches = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

function parseValue(name: PreferenceName, [text = '', ...more]: readonly string[]): unknown {
  if (more.length > 0)
    throw new UsageError(
      `expected one value for ${publicNameOf(name)}, got ${more.length + 1}; put a value with spaces in quotes`,
    );
  const value = switches.get(text) ?? text;
  const parsed = parsePreference(name, value);
  if (parsed !== undefined) return parsed;
  const {values} = preferenceRows[name] as {readonly values?: readonly unknown[]};
  throw new UsageError(
    `expected ${publicNameOf(name)} to be ` +
      `${values === undefined ? 'a text of at most 4000 characters' : values.map(String).join(', ')}, ` +
      `got ${JSON.stringify(text)}`,
  );
}

function save(
  directory: string,
  changed: Partial<Omit<Preferences, 'keys'>> & {readonly keys?: ChangedKeys},
): void {
  try {
    savePreferences(directory, changed);
  } catch (error) {
    throw new UsageError(`the settings in ${directory} are unchanged: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** The column of the names is as wide for one setting as for all. */
const nameWidth = Math.max(...preferenceNames.map((name) => publicNameOf(name).length));

/** One row for each setting; a single one is followed by the values that it can have. */
function formatPreferences(names: readonly PreferenceName[], now: Preferences): string {
  const rows = names.map((name) => ({name, value: formatValue(name, now)}));
  const width = Math.max(8, ...rows.map(({name, value}) => (hasValues(name) ? value.length : 0)));
  const table = rows.map(
    ({name, value}) =>
      `${publicNameOf(name).padEnd(nameWidth)} ${value.padEnd(width)} ${preferenceRows[name].words}\n`,
  );
  const [only, ...others] = names;
  return only === undefined || others.length > 0 || !hasValues(only)
    ? table.join('')
    : `${table.join('')}one of: ${preferenceRows[only].values?.map(String).join(', ') ?? ''}\n`;
}

/** A command may be longer than any column. */
function hasValues(name: PreferenceName): boolean {
  return preferenceRows[name].values !== undefined;
}

function formatValue(name: PreferenceName, now: Preferences): string {
  const own = Object.keys(ownKeys(now)).length;
  const keys = own === 0 ? '' : `${own} yours`;
  const value = name === 'keys' ? keys : String(now[name]);
  return value === '' ? '–' : sanitizeText(value);
}

/**
 * The value to save for `settings keys.NAME KEY…`: keys, `none`, or `default`; `settings keys
 * default` resets all.
 */
export function changedKeys(
  now: Preferences,
  name: string,
  values: readonly string[],
): ChangedKeys {
  const isUsual = values.length === 1 && values[0] === 'default';
  if (name === '') {
    if (!isUsual)
      throw new UsageError(
        'expected keys.NAME and its keys, such as keys.zoom f11; "keys default" resets ' +
          'all keys; orchestra settings keys lists the names',
      );
    return Object.fromEntries(Object.keys(now.keys).map((one) => [one, undefined]));
  }

  const changed = changeKeys(now.keys, now.leave, name, isUsual ? 'usual' : values);
  if ('rejected' in changed)
    throw new UsageError(`the keys are unchanged. keys.${changed.rejected}`);
  return {[name]: changed.keys[name]};
}

/** The person's valid key bindings, as written. */
export function ownKeys({keys, leave}: Preferences): ChangedKeys {
  const unsaid = new Set(buildKeymap(keys, leave).problems.map(({name}) => name));
  return Object.fromEntries(Object.entries(keys).filter(([name]) => !unsaid.has(name)));
}

/** Throws for a key binding that does not exist. */
export function checkKeyName(now: Preferences, name: string): void {
  if (selectBindings(now, name).length > 0) return;
  const refusal = changeKeys(now.keys, now.leave, name, ['none']);
  throw new UsageError(`keys.${'rejected' in refusal ? refusal.rejected : name}`);
}

type KeysReport = {
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly own: ChangedKeys;
  readonly problems: readonly {readonly name: string; readonly text: string}[];
};

/** Each binding with its keys, whether the person set them, and which settings are ignored. */
export function keysReport(now: Preferences, name: string): KeysReport {
  const isAbout = (one: string): boolean => name === '' || one === name || one.endsWith(`.${name}`);
  return {
    keys: Object.fromEntries(
      selectBindings(now, name).map((binding) => [toBindingName(binding), binding.keys]),
    ),
    own: Object.fromEntries(Object.entries(ownKeys(now)).filter(([one]) => isAbout(one))),
    problems: buildKeymap(now.keys, now.leave).problems.filter((problem) => isAbout(problem.name)),
  };
}

export function formatKeymap(now: Preferences, name: string): string {
  const bindings = selectBindings(now, name);
  const contexts = contextOrder.filter((context) =>
    bindings.some((binding) => binding.in === context),
  );
  return contexts
    .map(
      (context) =>
        `${contextLabels[context]}\n${bindings
          .filter((binding) => binding.in === context)
          .map(formatBinding)
          .join('')}`,
    )
    .join('\n');
}

function formatKeymapProblems({keys, leave}: Preferences): string {
  return buildKeymap(keys, leave)
    .problems.map(
      ({name, text}) => `! keys.${sanitizeText(name)} is ignored: ${sanitizeText(text)}\n`,
    )
    .join('');
}

function selectBindings({keys, leave}: Preferences, name: string): readonly Binding[] {
  const {bindings} = buildKeymap(keys, leave);
  return name === ''
    ? bindings
    : bindings.filter((binding) => binding.action === name || toBindingName(binding) === name);
}

function formatBinding(binding: Binding): string {
  const usual =
    keymap.find((one) => one.in === binding.in && one.action === binding.action)?.keys ?? [];
  const isOwn = binding.keys.join(' ') !== usual.join(' ');
  return (
    `${isOwn ? '*' : ' '} ${formatBindingName(binding).padEnd(29)} ` +
    `${formatKeys(binding.keys).padEnd(22)} ` +
    `${binding.text}${isOwn ? `; default ${formatKeys(usual)}` : ''}\n`
  );
}

function formatBindingName(binding: Binding): string {
  if (binding.isFixed === true) return `(${binding.action})`;
  return binding.action === 'stop-typing' ? '(setting leave)' : toBindingName(binding);
}

function formatKeys(keys: readonly string[]): string {
  return keys.length === 0 ? 'none' : keys.join(' ');
}
