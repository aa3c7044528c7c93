import {
  parseDiffComments,
  parsePlanComments,
  toStoredDiffComments,
  toStoredPlanComments,
} from './comments.ts';
import {defaultLeaveKey, leaveChords} from '../keymap/chord.ts';
import {
  type ListName,
  type Model,
  type ListPosition,
  type Repository,
  type ScreenName,
  screenNames,
  type Settings,
  type UiState,
} from './model.ts';
import {parseSavedModels} from './agent-choice.ts';
import {parseSavedModes} from './mode-choice.ts';
import type {Size} from '../render/frame.ts';
import {type ListModes, listModes, sizeClasses} from './size-class.ts';
import {buildKeymap} from '../keymap/parse.ts';
import {parseViewedMarks} from '../review/viewed.ts';
import {themeSettings} from '../theme/resolve-theme.ts';
import {isRecord} from '../../shared/index.ts';
import {parseSeenHints} from './hint-name.ts';
import {maxRecent} from './submit-palette.ts';

const defaultSettings: Settings = {
  theme: 'auto',
  leave: defaultLeaveKey,
  notify: 'bell',
  followsNeedy: false,
  mouse: true,
  signs: 'auto',
  frames: 'full',
  motion: 'calm',
  keys: {},
};

export function toUiState({
  screen,
  trail,
  selected,
  grid,
  listModes,
  isZoomed,
  scrolled,
  objectives,
  agent,
  planner,
  modes,
  models,
  recent,
  hints,
  planComments,
  comments,
  viewed,
  settings,
}: Model): UiState {
  const place = restorableScreens.has(screen)
    ? screen
    : (trail.findLast((one) => restorableScreens.has(one)) ?? 'workers');
  return {
    version: 1,
    screen: place,
    selected,
    grid,
    listModes,
    isZoomed,
    scrolled,
    objectives: objectives.slice(-maxObjectives),
    agent,
    planner,
    modes,
    models,
    recent,
    hints: hints.seen,
    planComments: toStoredPlanComments(planComments),
    comments: toStoredDiffComments(comments),
    viewed,
    settings,
  };
}

/** Screens that are restored at the next start. The brief and needs belong to their moment. */
const restorableScreens: ReadonlySet<ScreenName> = new Set<ScreenName>([
  'workers',
  'plan',
  'review',
  'services',
  'timeline',
  'audit',
  'knowledge',
]);
export const maxObjectives = 50;

/** Reads the saved UI state, which may be of another version: invalid values become defaults. */
export function parseUiState(value: unknown): UiState {
  const from = isRecord(value) ? value : {};
  const settings = isRecord(from['settings']) ? from['settings'] : {};
  return {
    version: 1,
    screen: parseOneOf(screenNames, from['screen'], 'workers'),
    selected: parseShortText(from['selected']),
    grid: parseOneOf(['auto', 1, 2, 4, 6], from['grid'], 'auto'),
    listModes: parseListModes(from['listModes']),
    isZoomed: from['isZoomed'] === true,
    scrolled: Object.fromEntries(
      Object.entries(isRecord(from['scrolled']) ? from['scrolled'] : {})
        .filter(
          (entry): entry is [string, number] =>
            Number.isSafeInteger(entry[1]) && (entry[1] as number) > 0,
        )
        .slice(0, 100),
    ),
    objectives: (Array.isArray(from['objectives']) ? from['objectives'] : [])
      .filter((one): one is string => typeof one === 'string' && one !== '')
      .slice(-maxObjectives),
    agent: parseShortText(from['agent']),
    planner: parseShortText(from['planner']),
    modes: parseSavedModes(from['modes']),
    models: parseSavedModels(from['models']),
    recent: (Array.isArray(from['recent']) ? from['recent'] : [])
      .filter((one): one is string => typeof one === 'string' && one.length <= 200)
      .slice(0, maxRecent),
    hints: parseSeenHints(from['hints']),
    planComments: parsePlanComments(from['planComments']),
    comments: parseDiffComments(from['comments']),
    viewed: parseViewedMarks(from['viewed']),
    settings: {
      theme: parseOneOf(themeSettings, settings['theme'], defaultSettings.theme),
      leave: parseOneOf(leaveChords, settings['leave'], defaultSettings.leave),
      notify: parseOneOf(['bell', 'message', 'off'], settings['notify'], defaultSettings.notify),
      followsNeedy: settings['followsNeedy'] === true,
      mouse: settings['mouse'] !== false,
      signs: parseOneOf(['auto', 'ascii'], settings['signs'], defaultSettings.signs),
      frames: parseOneOf(['full', 'rules', 'none'], settings['frames'], defaultSettings.frames),
      motion: parseOneOf(['calm', 'none'], settings['motion'], defaultSettings.motion),
      keys: isRecord(settings['keys']) ? settings['keys'] : defaultSettings.keys,
    },
  };
}

function parseListModes(value: unknown): ListModes {
  const from = isRecord(value) ? value : {};
  return Object.fromEntries(
    sizeClasses.flatMap((sizeClass) => {
      const mode = listModes.find((one) => one === from[sizeClass]);
      return mode === undefined ? [] : [[sizeClass, mode] as const];
    }),
  );
}

function parseShortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

function parseOneOf<const T>(all: readonly T[], value: unknown, fallback: T): T {
  return all.find((one) => one === value) ?? fallback;
}

/** The model before the daemon has answered. */
export function createModel({
  size,
  repository,
  uiState,
  isScreenReader = false,
}: {
  readonly size: Size;
  readonly repository: Repository;
  readonly uiState: unknown;
  readonly isScreenReader?: boolean;
}): Model {
  const remembered = parseUiState(uiState);
  return {
    size,
    repository,
    isScreenReader,
    connection: {at: 'connecting'},
    journal: undefined,
    // Without a repository there is no daemon to wait for.
    screen: repository.trouble === 'no-git' ? 'start' : 'workers',
    trail: [],
    mode: 'command',
    typingSession: undefined,
    opening: undefined,
    visit: undefined,
    selected: remembered.selected,
    terminal: undefined,
    grid: remembered.grid,
    slots: [],
    listModes: remembered.listModes,
    isZoomed: remembered.isZoomed,
    viewports: {},
    scrolled: remembered.scrolled,
    views: {},
    need: undefined,
    decided: undefined,
    run: undefined,
    subject: undefined,
    against: undefined,
    compared: undefined,
    reviewFocus: 'diff',
    openFolds: new Map(),
    sideBySide: undefined,
    viewed: remembered.viewed,
    places: initialPlaces,
    field: undefined,
    help: undefined,
    recent: remembered.recent,
    confirmation: undefined,
    rebinding: undefined,
    notice: undefined,
    hints: {standing: undefined, seen: remembered.hints},
    answers: {},
    comments: remembered.comments,
    planComments: remembered.planComments,
    planned: '',
    awaitedPlan: undefined,
    draft: undefined,
    showsAllEvents: false,
    timelinePart: 'chart',
    isArriving: false,
    acceptingRun: undefined,
    objectives: remembered.objectives,
    agent: remembered.agent,
    planner: remembered.planner,
    modes: remembered.modes,
    variantCount: 1,
    skill: '',
    playbook: '',
    way: undefined,
    models: remembered.models,
    settings: remembered.settings,
    terminalColours: undefined,
    keymap: buildKeymap(remembered.settings.keys, remembered.settings.leave),
    shown: '',
    changedAt: Number.NEGATIVE_INFINITY,
    notifiedNeedIds: [],
    isAway: false,
    usageAt: Number.NEGATIVE_INFINITY,
    askedAt: Number.NEGATIVE_INFINITY,
    isStale: false,
    remembered,
  };
}

const topOfList: ListPosition = {cursor: 0, top: 0};
const initialPlaces: Readonly<Record<ListName, ListPosition>> = {
  workers: topOfList,
  plan: topOfList,
  need: topOfList,
  inbox: topOfList,
  files: topOfList,
  diff: topOfList,
  variants: topOfList,
  services: topOfList,
  timeline: topOfList,
  chart: topOfList,
  audit: topOfList,
  accepted: topOfList,
  knowledge: topOfList,
  reading: topOfList,
  help: topOfList,
  brief: topOfList,
  settings: topOfList,
  keys: topOfList,
  palette: topOfList,
  start: topOfList,
  ways: topOfList,
};
