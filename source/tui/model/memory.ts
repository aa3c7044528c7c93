import {readDiffComments, rememberedDiffComments} from './diff-comments.ts';
import {leaveChords} from './leave-key-of.ts';
import type {Memory, Model, ScreenName, Settings} from './model.ts';
import {screenNames} from './model.ts';
import {readModels} from './models-of.ts';
import {readPlanComments, rememberedComments} from './plan-comments.ts';

const usualSettings: Settings = {
  theme: 'auto',
  leave: 'ctrl-]',
  notify: 'bell',
  followsNeedy: false,
  mouse: true,
  keys: {},
};

export function memoryOf({
  screen,
  trail,
  selected,
  grid,
  isZoomed,
  scrolled,
  objectives,
  agent,
  planner,
  models,
  planComments,
  comments,
  settings,
}: Model): Memory {
  const place = restful.has(screen)
    ? screen
    : (trail.findLast((one) => restful.has(one)) ?? 'workers');
  return {
    version: 1,
    screen: place,
    selected,
    grid,
    isZoomed,
    scrolled,
    objectives: objectives.slice(-mostObjectives),
    agent,
    planner,
    models,
    planComments: rememberedComments(planComments),
    comments: rememberedDiffComments(comments),
    settings,
  };
}

/** A brief and a question are of their moment: nobody comes back to them. */
const restful: ReadonlySet<ScreenName> = new Set<ScreenName>([
  'workers',
  'plan',
  'review',
  'services',
  'timeline',
  'audit',
  'knowledge',
]);
export const mostObjectives = 50;

/** Whatever was written there, perhaps by another version: what is understood is taken, for the rest there is the usual. */
export function readMemory(value: unknown): Memory {
  const from = isRecord(value) ? value : {};
  const settings = isRecord(from['settings']) ? from['settings'] : {};
  return {
    version: 1,
    screen: oneOf(screenNames, from['screen'], 'workers'),
    selected: textOf(from['selected']),
    grid: oneOf(['auto', 1, 2, 4, 6], from['grid'], 'auto'),
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
      .slice(-mostObjectives),
    agent: textOf(from['agent']),
    planner: textOf(from['planner']),
    models: readModels(from['models']),
    planComments: readPlanComments(from['planComments']),
    comments: readDiffComments(from['comments']),
    settings: {
      theme: oneOf(['auto', 'dark', 'light', 'none'], settings['theme'], usualSettings.theme),
      leave: oneOf(leaveChords, settings['leave'], usualSettings.leave),
      notify: oneOf(['bell', 'message', 'off'], settings['notify'], usualSettings.notify),
      followsNeedy: settings['followsNeedy'] === true,
      mouse: settings['mouse'] !== false,
      keys: isRecord(settings['keys']) ? settings['keys'] : usualSettings.keys,
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

function oneOf<const T>(all: readonly T[], value: unknown, usual: T): T {
  return all.find((one) => one === value) ?? usual;
}
