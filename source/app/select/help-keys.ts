import type {State} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {type Binding, type Context, contextLabels} from '../keymap/binding.ts';
import {formatKeys} from '../keymap/chord.ts';
import {selectBindings, selectContexts} from '../keymap/resolve.ts';
import type {Model} from '../model/model.ts';

export type HelpKey = {readonly keys: string; readonly text: string; readonly isOwn: boolean};

export type PlaceKeys = {
  readonly look: readonly HelpKey[];
  readonly act: readonly HelpKey[];
  readonly decide: readonly HelpKey[];
  /** In columns. */
  readonly anywhere: readonly (readonly HelpKey[])[];
};

/** The keys of the screen below the help, by what they do. */
export function selectPlaceKeys(model: Model, state: State): PlaceKeys {
  const bindings = selectBindings({...model, help: undefined}, state).filter(
    ({keys}) => keys.length > 0,
  );
  const own = bindings.filter(({in: context}) => context !== 'command' && context !== 'list');
  const kindOf = ({action, isGuarded}: Binding): keyof typeof kinds => {
    if (isGuarded === true || kinds.decide.has(action)) return 'decide';
    return kinds.act.has(action) ? 'act' : 'look';
  };
  const ofKind = (kind: keyof typeof kinds): HelpKey[] =>
    joinPairs(own.filter((binding) => kindOf(binding) === kind));
  return {
    look: ofKind('look'),
    act: ofKind('act'),
    decide: ofKind('decide'),
    anywhere: anywhere.map((actions) =>
      actions.flatMap((action) =>
        bindings
          .filter(({in: context, action: one}) => context === 'command' && one === action)
          .map(toHelpKey),
      ),
    ),
  };
}

/** Actions that are not guarded, but change something or write. All others look. */
const kinds = {
  look: new Set<ActionName>(),
  act: new Set<ActionName>([
    'type',
    'note',
    'tell',
    'attach',
    'paste-image',
    'start-command',
    'write-objective',
    'open-agent',
    'comment-line',
    'drop-comment',
    'answer',
    'option',
    'change-setting',
    'change-key',
    'usual-key',
    'no-key',
    'queue-earlier',
    'queue-later',
    'hand-to-agent',
    'environment',
    'edit-plan',
    'task-agent',
    'more-variants',
    'fewer-variants',
    'follow-needy',
  ]),
  decide: new Set<ActionName>([
    'reject-plan',
    'grant',
    'plan-again',
    'send-comments',
    'take-over',
    'hand-back',
    'check',
  ]),
} as const;

const anywhere: readonly (readonly ActionName[])[] = [
  ['screen-workers', 'screen-plan', 'screen-review', 'screen-timeline'],
  ['screen-audit', 'screen-services', 'screen-knowledge', 'screen-brief'],
  ['next-need', 'new-objective', 'palette', 'screen-settings'],
  ['back', 'quit', 'suspend', 'screen-keys'],
];

/** Keys that belong together are one line. */
const pairs: readonly {readonly actions: readonly ActionName[]; readonly text: string}[] = [
  {actions: ['next-pane', 'previous-pane'], text: 'next, previous pane'},
  {actions: ['pane-left', 'pane-right', 'pane-up', 'pane-down'], text: 'pane beside'},
  {actions: ['more-panes', 'fewer-panes'], text: 'more, fewer panes'},
  {actions: ['more-variants', 'fewer-variants'], text: 'more, fewer variants of the task'},
  {actions: ['queue-earlier', 'queue-later'], text: 'earlier, later in the queue'},
  {actions: ['next-file', 'previous-file'], text: 'next, previous file'},
  {actions: ['next-need', 'previous-need'], text: 'next, previous need'},
];

function joinPairs(bindings: readonly Binding[]): HelpKey[] {
  return bindings.flatMap((binding): HelpKey[] => {
    const pair = pairs.find(({actions}) => actions.includes(binding.action));
    if (pair === undefined) return [toHelpKey(binding)];
    const joined = bindings.filter(({action}) => pair.actions.includes(action));
    if (joined[0] !== binding) return [];
    const first = joined.map(({keys}) => keys[0] ?? '').filter((key) => key !== '');
    return [
      {
        keys: joinKeys(first),
        text: pair.text,
        isOwn: joined.some(({own}) => own !== undefined),
      },
    ];
  });
}

function joinKeys(keys: readonly string[]): string {
  const joined = formatKeys(keys);
  return joined.length <= maxKeysLength ? joined : `${formatKeys(keys.slice(0, 1))} …`;
}

const maxKeysLength = 9;

/** The first keys, and the shorter text where the long one needs more than a column. */
function toHelpKey({keys, text, short, own}: Binding): HelpKey {
  const isDigits = keys.length > 2 && keys.every((key) => /^\d$/.test(key));
  return {
    keys: formatKeys(isDigits ? keys : keys.slice(0, 2)),
    text: short !== undefined && text.length > maxTextLength ? short : text,
    isOwn: own !== undefined,
  };
}

const maxTextLength = 30;

export type KeyBlock = {
  readonly context: Context;
  readonly label: string;
  readonly keys: readonly HelpKey[];
};

/** All keys by context, those of the screen before first; with a filter, those that match it. */
export function selectAllKeys(model: Model, state: State, filter: string): readonly KeyBlock[] {
  const before = model.trail.at(-1) ?? 'workers';
  const current = selectContexts({...model, screen: before, field: undefined}, state);
  const all = Object.keys(contextLabels) as Context[];
  const order = new Set<Context>([
    ...current.filter((one) => one !== 'command' && one !== 'list'),
    'command',
    'list',
    ...all,
  ]);
  return [...order].flatMap((context) => {
    const label = contextLabels[context];
    const keys = model.keymap.bindings
      .filter((binding) => binding.in === context && isMatch(binding, label, filter))
      .map(({keys: chords, text, own}) => ({
        keys: formatKeys(chords),
        text,
        isOwn: own !== undefined,
      }));
    return keys.length === 0 ? [] : [{context, label, keys}];
  });
}

/** By the key itself, by what it does, or by where it works. */
function isMatch({keys, text}: Binding, label: string, filter: string): boolean {
  const wanted = filter.trim();
  const shown = formatKeys(keys);
  if (wanted.length < 2) return wanted === '' || shown.split(' ').includes(wanted);
  const searched = `${shown} ${text} ${label}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
