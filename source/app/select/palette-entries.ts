import {isTaskId, runIdIn, selectRun, type State} from '../../domain/index.ts';
import {selectTaskNumber} from '../../reports/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {Binding} from '../keymap/binding.ts';
import {formatChord} from '../keymap/chord.ts';
import {selectBindings} from '../keymap/resolve.ts';
import {selectReviewFiles} from '../review/select-review.ts';
import type {Model, ScreenName} from '../model/model.ts';
import {type SettingRow, settingRows} from '../model/settings.ts';
import {type SidebarRow, sidebarRows} from '../model/sidebar-rows.ts';
import type {ThemeSetting} from '../theme/resolve-theme.ts';
import {helpTopics} from './help-topics.ts';
import {selectTaskLabel, type TaskSign} from './task-label.ts';

/** What the palette offers: an action, a place to go to, a setting, or a topic of help. */
export type PaletteEntry = {
  /** The same at the next visit: the entries that were used last are kept by it. */
  readonly id: string;
  readonly section: PaletteSection;
  readonly text: string;
  readonly key: string;
  readonly sign?: TaskSign;
  /** It decides something: it is never marked by itself. */
  readonly decides: boolean;
  readonly leadsTo: PaletteTarget;
};

export type PaletteSection = 'Lately' | 'Here' | 'Go to' | 'Settings' | 'Help';

export type PaletteTarget =
  | {
      readonly type: 'action';
      readonly action: ActionName;
      readonly chord: string;
      readonly isGuarded: boolean;
    }
  | {readonly type: 'row'; readonly key: string}
  | {readonly type: 'file'; readonly index: number}
  | {readonly type: 'theme'; readonly theme: ThemeSetting}
  | {
      readonly type: 'setting';
      readonly name: SettingRow['name'];
      readonly value: SettingRow['values'][number]['value'];
    }
  | {readonly type: 'topic'; readonly id: string};

/** Everything that works now, by section. */
export function selectPaletteEntries(model: Model, state: State): PaletteEntry[] {
  const actions = actionEntries(model, state);
  return [
    ...actions.filter(({section}) => section === 'Here'),
    ...actions.filter(({section}) => section === 'Go to'),
    ...rowEntries(state),
    ...fileEntries(model),
    ...actions.filter(({section}) => section === 'Settings'),
    ...settingEntries(model),
    ...actions.filter(({section}) => section === 'Help'),
    ...helpTopics.map(({id, question}): PaletteEntry => ({
      id: `topic/${id}`,
      section: 'Help',
      text: question,
      key: '',
      decides: false,
      leadsTo: {type: 'topic', id},
    })),
  ];
}

function actionEntries(model: Model, state: State): PaletteEntry[] {
  const below: Model = {...model, field: undefined, mode: 'command'};
  const bindings = selectBindings(below, state).filter(
    ({in: context, action}) => context !== 'list' && !hidden.has(action),
  );
  return bindings
    .filter(({action}, index) => bindings.findIndex((one) => one.action === action) === index)
    .map(toActionEntry);
}

/** A digit is the meaning of these, or the palette is where one is already. */
const hidden: ReadonlySet<ActionName> = new Set<ActionName>(['palette', 'numbered-pane', 'option']);

function toActionEntry({action, keys, text, isGuarded, in: context}: Binding): PaletteEntry {
  const screen = action.startsWith('screen-') ? (action.slice(7) as ScreenName) : undefined;
  const label = screen === undefined ? undefined : screenLabels[screen];
  return {
    id: `action/${action}`,
    section: sectionOf(action, context),
    text: label ?? toSentence(text),
    key: keys[0] === undefined ? '' : formatChord(keys[0]),
    decides: isGuarded === true,
    leadsTo: {type: 'action', action, chord: keys[0] ?? '', isGuarded: isGuarded === true},
  };
}

function sectionOf(action: ActionName, context: Binding['in']): PaletteSection {
  if (action === 'help') return 'Help';
  if (action === 'screen-settings' || action === 'screen-keys') return 'Settings';
  const leads =
    action.startsWith('screen-') || action === 'next-need' || action === 'previous-need';
  return leads && context === 'command' ? 'Go to' : 'Here';
}

export const screenLabels: Readonly<Partial<Record<ScreenName, string>>> = {
  workers: 'Work',
  plan: 'Plan',
  review: 'Review',
  timeline: 'Timeline',
  audit: 'Cost',
  services: 'Services',
  knowledge: 'Notes',
  brief: 'Brief: what happened',
  settings: 'Settings',
  keys: 'Change keys',
};

function rowEntries(state: State): PaletteEntry[] {
  return sidebarRows(state, state.at).map((row): PaletteEntry => {
    const task = labelOfTask(row, state);
    return {
      id: `row/${row.key}`,
      section: 'Go to',
      text: task === undefined ? textOfRow(row) : `Task ${task.number}  ${row.title}`,
      key: '',
      decides: false,
      leadsTo: {type: 'row', key: row.key},
      ...(task === undefined ? {} : {sign: task.sign}),
    };
  });
}

function textOfRow({kind, name, title}: SidebarRow): string {
  if (kind === 'run') return `Run  ${title === '' ? name : title}`;
  const label = kind === 'service' ? 'Service' : 'Session';
  return `${label}  ${name} ${title}`.trimEnd();
}

function labelOfTask(
  {key}: SidebarRow,
  state: State,
): {readonly number: number; readonly sign: TaskSign} | undefined {
  if (!isTaskId(key)) return undefined;
  const run = selectRun(state, runIdIn(key));
  const task = run?.tasks.find(({id}) => id === key);
  const number = run === undefined ? undefined : selectTaskNumber(run, key);
  return run === undefined || task === undefined || number === undefined
    ? undefined
    : {number, sign: selectTaskLabel(state, run, task, state.at).sign};
}

function fileEntries(model: Model): PaletteEntry[] {
  return model.screen === 'review'
    ? selectReviewFiles(model).map(({path}, index) => ({
        id: `file/${path}`,
        section: 'Go to',
        text: `File  ${path}`,
        key: '',
        decides: false,
        leadsTo: {type: 'file', index},
      }))
    : [];
}

/** One entry for each value that a setting does not have now; every theme, to look at. */
function settingEntries({settings}: Model): PaletteEntry[] {
  return settingRows.flatMap(({name, text, values}) =>
    values
      .filter(({value}) => name === 'theme' || settings[name] !== value)
      .map(({value, text: label}): PaletteEntry => ({
        id: `${name}/${String(value)}`,
        section: 'Settings',
        text:
          name === 'theme'
            ? `Theme: ${String(value).replaceAll('-', ' ')}`
            : `${text}: ${label === '' ? formatChord(String(value)) : label}`,
        key: '',
        decides: false,
        leadsTo:
          name === 'theme'
            ? {type: 'theme', theme: value as ThemeSetting}
            : {type: 'setting', name, value},
      })),
  );
}

function toSentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
