import {pluralize} from '../../shared/index.ts';
import {
  type Event,
  isResting,
  isRunActive,
  isRunId,
  isTaskId,
  type RunId,
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectTask,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {toSafeLine} from '../terminal-text.ts';
import {buildTimeline, isByPerson, type TimelineEntry, toTone} from './timeline.ts';
import {buildNeedsReport, type NeedLine} from './needs-report.ts';
import {formatPurpose, formatRun, formatService, formatTask} from '../messages/describe-state.ts';

/**
 * What a person reads on return: what they did last, what needs them, what happened since. Plain
 * data, derived from state and events alone.
 */
export type Brief = {
  readonly since: number;
  readonly at: number;
  /** When the person came back, which may be long ago. Absent if unknown. */
  readonly came?: number;
  /** The last things that a person did before they left, oldest first. */
  readonly before: readonly BriefItem[];
  readonly needs: readonly NeedLine[];
  /**
   * What failed since then. Without what was repaired and merged, and without what is in `needs`.
   */
  readonly failed: readonly BriefItem[];
  readonly merged: readonly BriefItem[];
  readonly running: readonly BriefItem[];
  readonly services: readonly BriefItem[];
  /** What happened to orchestra itself: restarts, a full disk, lost sessions. */
  readonly house: readonly BriefItem[];
  /** Everything that happened since, grouped by run and task. */
  readonly happened: readonly BriefGroup[];
};

export type BriefItem = {
  readonly about: string;
  readonly words: string;
  readonly ageMs: number | null;
};

export type BriefGroup = {
  readonly about: string;
  readonly title: string;
  readonly words: string;
  readonly entries: readonly BriefItem[];
  readonly leftOut: number;
};

/** The same state and events give the same brief. */
export function buildBrief(
  state: State,
  events: readonly Event[],
  {
    since,
    now,
    came,
  }: {readonly since: number; readonly now: number; readonly came?: number | undefined},
): Brief {
  const before = events
    .filter((event) => event.at <= since && isByPerson(event))
    .slice(-maxPreceding);
  const latest = events.filter((event) => event.at > since);
  const {entries} = buildTimeline(latest, {state});
  const {needs} = buildNeedsReport(state, now);
  const toItem = (entry: TimelineEntry): BriefItem => ({
    about: entrySubject(entry),
    words: entry.words,
    ageMs: now - entry.at,
  });
  return {
    since,
    at: now,
    ...(came !== undefined && {came}),
    before: buildTimeline(before, {all: true, state}).entries.map(toItem),
    needs,
    failed: selectFailures(state, entries)
      .map(toItem)
      .filter(({about}) => !needs.some((need) => need.about === about)),
    merged: entries
      .filter(({type}) => type === 'task-merged' || type === 'run-accepted')
      .map((entry) => withRepair(state, toItem(entry))),
    running: selectRunning(state, now),
    services: selectServiceItems(state, latest, now),
    house: entries.filter(({type}) => daemonEventTypes.has(type)).map(toItem),
    happened: groupEntries(state, entries, now),
  };
}

const maxPreceding = 3;

/** A person without input for this long counts as away, even if the app is open. */
export const awayMs = 10 * 60_000;

/**
 * How long the person was away, and how long they have been back. Without `awayMs` if they were not
 * away long enough.
 */
export function measureAbsence({since, at, came = at}: Pick<Brief, 'since' | 'at' | 'came'>): {
  readonly awayMs?: number;
  readonly backMs: number;
} {
  const away = came - since;
  return {backMs: at - came, ...(away >= awayMs && {awayMs: away})};
}

const daemonEventTypes: ReadonlySet<string> = new Set([
  'daemon-started',
  'journal-truncated',
  'disk-full',
  'session-lost',
  'intrusion-refused',
  'command-noted',
]);

function entrySubject({run, task, session}: TimelineEntry): string {
  return task ?? run ?? session ?? 'orchestra';
}

/** The latest bad news of each task and run, unless it has recovered since. */
function selectFailures(state: State, entries: readonly TimelineEntry[]): TimelineEntry[] {
  const last = new Map<string, TimelineEntry>();
  for (const entry of entries) {
    const about = entry.task ?? entry.run;
    if (about === null || toTone(entry.type) !== 'bad') continue;
    last.delete(about);
    last.set(about, entry);
  }

  return [...last].filter(([about]) => !hasRecovered(state, about)).map(([, entry]) => entry);
}

function hasRecovered(state: State, about: string): boolean {
  if (isTaskId(about)) return selectTask(state, about)?.stage.at === 'merged';
  const stage = isRunId(about) ? selectRun(state, about)?.stage.at : undefined;
  return stage === 'accepted' || stage === 'reviewing' || stage === 'working';
}

function withRepair(state: State, item: BriefItem): BriefItem {
  const attempts = isTaskId(item.about) ? (selectTask(state, item.about)?.attempts.length ?? 1) : 1;
  return attempts === 1 ? item : {...item, words: `${item.words}, after ${attempts} tries`};
}

function selectRunning(state: State, now: number): BriefItem[] {
  const runs = selectOpenRuns(state).flatMap((run) => {
    const own = ['surveying', 'planning', 'accepting'].includes(run.stage.at)
      ? [item(run.id, formatRun(state, run), null)]
      : [];
    const tasks = run.tasks.filter(
      (task) =>
        ['preparing', 'attempting', 'taken-over', 'validated', 'merging'].includes(task.stage.at) &&
        task.hold === undefined &&
        task.trouble === undefined &&
        !isResting(run, task),
    );
    return isRunActive(run)
      ? [
          ...own,
          ...tasks.map((task) =>
            item(task.id, `${task.planned.title}: ${formatTask(state, run, task, now)}`, null),
          ),
        ]
      : [];
  });
  const sessions = selectLiveSessions(state)
    .filter(({purpose}) => purpose.for === 'person')
    .map((session) =>
      item(
        session.id,
        formatPurpose(session),
        session.life.at === 'running' ? now - session.life.since : null,
      ),
    );
  return [...runs, ...sessions];
}

/** Services that should run or that had an event, with the number of crashes since. */
function selectServiceItems(state: State, latest: readonly Event[], now: number): BriefItem[] {
  return state.services.flatMap((service) => {
    const {name} = service.spec;
    const own = latest.filter((event) => 'service' in event && event.service === name);
    if (service.desire === 'none' && service.stage.at === 'down' && own.length === 0) return [];
    const died = own.filter(({type}) => type === 'service-backed-off').length;
    return [
      item(
        name,
        `${formatService(service, now)}${died === 0 ? '' : `; died ${pluralize(died, 'time')} since`}`,
        null,
      ),
    ];
  });
}

function groupEntries(state: State, entries: readonly TimelineEntry[], now: number): BriefGroup[] {
  const groups = new Map<string, TimelineEntry[]>();
  for (const entry of entries) {
    const about = entry.task ?? entry.run;
    if (about === null) continue;
    const own = groups.get(about);
    if (own === undefined) groups.set(about, [entry]);
    else own.push(entry);
  }

  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', {numeric: true}))
    .map(([about, own]) => {
      const shown = own.slice(-maxEntries);
      return {
        about,
        ...describeSubject(state, about as RunId | TaskId, now),
        entries: shown.map(({at, words}) => ({about, words, ageMs: now - at})),
        leftOut: own.length - shown.length,
      };
    });
}

const maxEntries = 6;

function describeSubject(
  state: State,
  about: RunId | TaskId,
  now: number,
): {readonly title: string; readonly words: string} {
  const run = selectRun(state, about.split('.', 1)[0] as RunId);
  if (run === undefined) return {title: '', words: 'unknown'};
  const task = isTaskId(about) ? selectTask(state, about) : undefined;
  if (task === undefined)
    return {title: toSafeLine(run.request.objective), words: toSafeLine(formatRun(state, run))};
  return {
    title: toSafeLine(task.planned.title),
    words: toSafeLine(formatTask(state, run, task, now)),
  };
}

function item(about: string, text: string, ageMs: number | null): BriefItem {
  return {about: toSafeLine(about), words: toSafeLine(text), ageMs};
}
