import {sanitizeText} from '../../base/index.ts';
import {
  isResting,
  isRunActive,
  isRunId,
  isTaskId,
  liveSessionsOf,
  openRunsOf,
  runOf,
  taskOf,
  type Event,
  type RunId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {isByPerson} from './is-by-person.ts';
import {needsReport, type NeedLine} from './needs-report.ts';
import {purposeInWords, runInWords, serviceInWords, taskInWords} from './stage-in-words.ts';
import {timelineOf, type TimelineEntry} from './timeline-of.ts';
import {toneOf} from './tone-of.ts';

/** What a person finds on return: where they were, what needs them, what happened since. Plain data; the same events give the same brief. */
export type Brief = {
  readonly since: number;
  readonly at: number;
  /** When the person came back; they may have been here for long since. Absent where it is not known. */
  readonly came?: number;
  /** The last things that a person did before, the latest last. */
  readonly before: readonly BriefItem[];
  readonly needs: readonly NeedLine[];
  /** What went wrong since, and where it stands now. Neither what was repaired and merged, nor what needs the person, is among it. */
  readonly failed: readonly BriefItem[];
  readonly merged: readonly BriefItem[];
  readonly running: readonly BriefItem[];
  readonly services: readonly BriefItem[];
  /** What happened to the house itself: restarts, a full disk, lost sessions. */
  readonly house: readonly BriefItem[];
  /** Everything that happened since, under what it happened to. */
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

export function briefOf(
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
    .slice(-mostBefore);
  const latest = events.filter((event) => event.at > since);
  const {entries} = timelineOf(latest, {state});
  const {needs} = needsReport(state, now);
  const told = (entry: TimelineEntry): BriefItem => ({
    about: aboutOf(entry),
    words: entry.words,
    ageMs: now - entry.at,
  });
  return {
    since,
    at: now,
    ...(came !== undefined && {came}),
    before: timelineOf(before, {all: true, state}).entries.map(told),
    needs,
    failed: failuresOf(state, entries)
      .map(told)
      .filter(({about}) => !needs.some((need) => need.about === about)),
    merged: entries
      .filter(({type}) => type === 'task-merged' || type === 'run-accepted')
      .map((entry) => withRepair(state, told(entry))),
    running: runningOf(state, now),
    services: servicesOf(state, latest, now),
    house: entries.filter(({type}) => houseTypes.has(type)).map(told),
    happened: groupsOf(state, entries, now),
  };
}

const mostBefore = 3;

/** Who does nothing for so long was away, though the app is open. */
export const awayMs = 10 * 60_000;

/** How long the person was away, and how long they have been back; nothing of an absence that was none: they pressed keys in between. */
export function absenceIn({since, at, came = at}: Pick<Brief, 'since' | 'at' | 'came'>): {
  readonly awayMs?: number;
  readonly backMs: number;
} {
  const away = came - since;
  return {backMs: at - came, ...(away >= awayMs && {awayMs: away})};
}
const houseTypes: ReadonlySet<string> = new Set([
  'daemon-started',
  'journal-truncated',
  'disk-full',
  'session-lost',
  'intrusion-refused',
  'command-noted',
]);

function aboutOf({run, task, session}: TimelineEntry): string {
  return task ?? run ?? session ?? 'orchestra';
}

/** The latest bad news of each task and run, unless it has come good since. */
function failuresOf(state: State, entries: readonly TimelineEntry[]): TimelineEntry[] {
  const last = new Map<string, TimelineEntry>();
  for (const entry of entries) {
    const about = entry.task ?? entry.run;
    if (about === null || toneOf(entry.type) !== 'bad') continue;
    last.delete(about);
    last.set(about, entry);
  }

  return [...last].filter(([about]) => !isGood(state, about)).map(([, entry]) => entry);
}

function isGood(state: State, about: string): boolean {
  if (isTaskId(about)) return taskOf(state, about)?.stage.at === 'merged';
  const stage = isRunId(about) ? runOf(state, about)?.stage.at : undefined;
  return stage === 'accepted' || stage === 'reviewing' || stage === 'working';
}

function withRepair(state: State, item: BriefItem): BriefItem {
  const attempts = isTaskId(item.about) ? (taskOf(state, item.about)?.attempts.length ?? 1) : 1;
  return attempts === 1 ? item : {...item, words: `${item.words}, after ${attempts} attempts`};
}

function runningOf(state: State, now: number): BriefItem[] {
  const runs = openRunsOf(state).flatMap((run) => {
    const own = ['surveying', 'planning', 'accepting'].includes(run.stage.at)
      ? [item(run.id, runInWords(state, run), null)]
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
            item(task.id, `${task.planned.title}: ${taskInWords(state, run, task, now)}`, null),
          ),
        ]
      : [];
  });
  const sessions = liveSessionsOf(state)
    .filter(({purpose}) => purpose.for === 'person')
    .map((session) =>
      item(
        session.id,
        purposeInWords(session),
        session.life.at === 'running' ? now - session.life.since : null,
      ),
    );
  return [...runs, ...sessions];
}

/** Services that should run or that something happened to; the restarts since are counted. */
function servicesOf(state: State, latest: readonly Event[], now: number): BriefItem[] {
  return state.services.flatMap((service) => {
    const {name} = service.spec;
    const own = latest.filter((event) => 'service' in event && event.service === name);
    if (service.desire === 'none' && service.stage.at === 'down' && own.length === 0) return [];
    const died = own.filter(({type}) => type === 'service-backed-off').length;
    return [
      item(
        name,
        `${serviceInWords(service, now)}${died === 0 ? '' : `; died ${died} ${died === 1 ? 'time' : 'times'} since`}`,
        null,
      ),
    ];
  });
}

function groupsOf(state: State, entries: readonly TimelineEntry[], now: number): BriefGroup[] {
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
      const shown = own.slice(-mostEntries);
      return {
        about,
        ...nameOf(state, about as RunId | TaskId, now),
        entries: shown.map(({at, words}) => ({about, words, ageMs: now - at})),
        leftOut: own.length - shown.length,
      };
    });
}

const mostEntries = 6;

function nameOf(
  state: State,
  about: RunId | TaskId,
  now: number,
): {readonly title: string; readonly words: string} {
  const run = runOf(state, about.split('.', 1)[0] as RunId);
  if (run === undefined) return {title: '', words: 'unknown'};
  const task = isTaskId(about) ? taskOf(state, about) : undefined;
  if (task === undefined)
    return {title: safe(run.request.objective), words: safe(runInWords(state, run))};
  return {title: safe(task.planned.title), words: safe(taskInWords(state, run, task, now))};
}

function item(about: string, words: string, ageMs: number | null): BriefItem {
  return {about: safe(about), words: safe(words), ageMs};
}

function safe(text: string): string {
  return sanitizeText(text.replaceAll(/\s+/g, ' ').trim());
}
