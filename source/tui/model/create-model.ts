import type {Size} from '../render/rect.ts';
import {keymapOf} from './keymap-of.ts';
import {readMemory} from './memory.ts';
import type {ListName, Model, Place, Repository} from './model.ts';

/** The app before anything is known of the house. */
export function createModel({
  size,
  repository,
  memory,
  isReader = false,
}: {
  readonly size: Size;
  readonly repository: Repository;
  readonly memory: unknown;
  readonly isReader?: boolean;
}): Model {
  const remembered = readMemory(memory);
  return {
    size,
    repository,
    isReader,
    connection: {at: 'connecting'},
    journal: undefined,
    // Where there is no repository there is no daemon to wait for.
    screen: repository.trouble === 'no-git' ? 'start' : 'workers',
    trail: [],
    mode: 'command',
    into: undefined,
    opening: undefined,
    visit: undefined,
    selected: remembered.selected,
    terminal: undefined,
    grid: remembered.grid,
    isZoomed: remembered.isZoomed,
    scrolled: remembered.scrolled,
    views: {},
    need: undefined,
    run: undefined,
    subject: undefined,
    side: 'diff',
    places: noPlaces,
    field: undefined,
    asking: undefined,
    pressing: undefined,
    notice: undefined,
    answers: {},
    comments: remembered.comments,
    planComments: remembered.planComments,
    planned: '',
    draft: undefined,
    showsAllEvents: false,
    objectives: remembered.objectives,
    agent: remembered.agent,
    planner: remembered.planner,
    skill: '',
    models: remembered.models,
    settings: remembered.settings,
    keymap: keymapOf(remembered.settings.keys, remembered.settings.leave),
    shown: '',
    changedAt: Number.NEGATIVE_INFINITY,
    told: [],
    isAway: false,
    usageAt: Number.NEGATIVE_INFINITY,
    askedAt: Number.NEGATIVE_INFINITY,
    isStale: false,
    remembered,
  };
}

const start: Place = {cursor: 0, top: 0};
const noPlaces: Readonly<Record<ListName, Place>> = {
  workers: start,
  plan: start,
  need: start,
  files: start,
  diff: start,
  services: start,
  timeline: start,
  audit: start,
  knowledge: start,
  reading: start,
  help: start,
  brief: start,
  settings: start,
  keys: start,
  palette: start,
};
