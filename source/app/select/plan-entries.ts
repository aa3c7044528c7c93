import {displayWidth, wrapLine} from '../../shared/index.ts';
import type {PlanCheck, PlanContent, PlanItem, PlanRule, PlanTask, PlanView} from './plan-view.ts';

/** What the cursor of the plan screen can be on, in the order of the screen. */
export type PlanEntry = {
  readonly id: string;
  /** As a comment on it is labelled: `On task 2`. */
  readonly name: string;
  /** What a comment on it is attached to; undefined for what is no line of the plan. */
  readonly item: PlanItem | undefined;
} & (
  | {readonly kind: 'objective'; readonly text: string; readonly isFirst: boolean}
  | {
      readonly kind: 'task';
      readonly task: PlanTask;
      /** It has the title; the rest of a long task follows in entries of its own. */
      readonly isFirst: boolean;
      readonly texts: readonly string[];
      readonly files: readonly string[];
    }
  | {
      readonly kind: 'why';
      readonly section: WhySection;
      /** Empty but for the first entry of a section. */
      readonly label: string;
      readonly text: string;
    }
  | {readonly kind: 'note'; readonly text: string}
  | {readonly kind: 'check'; readonly number: number; readonly check: PlanCheck}
  | {readonly kind: 'rule'; readonly rule: PlanRule}
);

export type WhySection =
  'problem' | 'rootCause' | 'assumptions' | 'invariants' | 'risks' | 'rejected';

/**
 * The entries of a plan: what will be done, why, what is known of the repository; then what proves
 * it and the rules, unless they have a column of their own.
 */
export function toPlanEntries(
  view: PlanView,
  {hasColumn}: {readonly hasColumn: boolean},
): readonly PlanEntry[] {
  return [
    ...toContentEntries(view),
    ...view.notes.map((text, index): PlanEntry => ({
      kind: 'note',
      id: `note ${index}`,
      name: 'a note',
      item: undefined,
      text,
    })),
    ...(hasColumn ? [] : toProofEntries(view)),
  ];
}

function toProofEntries({proof, rules}: PlanView): PlanEntry[] {
  return [
    ...proof.map((check, index): PlanEntry => ({
      kind: 'check',
      id: `check ${index}`,
      name: `check ${check.name}`,
      item: check.item,
      number: index + 1,
      check,
    })),
    ...rules.map((rule, index): PlanEntry => ({
      kind: 'rule',
      id: `rule ${index}`,
      name: `rule ${rule.number}`,
      item: undefined,
      rule,
    })),
  ];
}

/** The plan alone: made once for each plan, so that rows that stay the same are not drawn again. */
function toContentEntries(content: PlanContent): readonly PlanEntry[] {
  const known = entriesByLines.get(content.lines) ?? buildContent(content);
  entriesByLines.set(content.lines, known);
  return known;
}

const entriesByLines = new WeakMap<PlanContent['lines'], readonly PlanEntry[]>();

function buildContent(content: PlanContent): readonly PlanEntry[] {
  return [
    ...content.objective.flatMap((item, index) =>
      splitLong(item.text).map((text, part): PlanEntry => ({
        kind: 'objective',
        id: partId(item.id, part),
        name: 'the objective',
        item,
        text,
        isFirst: index === 0 && part === 0,
      })),
    ),
    ...content.tasks.map((task) => shortenVariant(task, content.tasks)).flatMap(toTaskEntries),
    ...whySections.flatMap((section) => toWhyEntries(section, content[section.name])),
  ];
}

/** What a variant has in common with its task stands there: only what differs is said again. */
function shortenVariant(task: PlanTask, tasks: readonly PlanTask[]): PlanTask {
  const root = task.variantOf === undefined ? undefined : tasks[task.variantOf - 1];
  if (root === undefined) return task;
  const isSameBrief = toTexts(task.brief) === toTexts(root.brief);
  const isSameFiles = task.files.join('\n') === root.files.join('\n');
  return {
    ...task,
    ...(isSameBrief && {brief: []}),
    ...(isSameFiles && {files: []}),
  };
}

function toTexts(items: readonly PlanItem[]): string {
  return items.map(({text}) => text).join('\n');
}

/**
 * A task is one entry with title, brief and files. Further paragraphs of the brief are entries, so
 * that each can be commented on; so are the rest of long ones, because the screen scrolls by entry.
 */
function toTaskEntries(task: PlanTask): PlanEntry[] {
  const {item, brief, number} = task;
  const pieces = brief.flatMap((paragraph, index) =>
    splitLong(paragraph.text).map((text) => ({
      item: index === 0 ? item : paragraph,
      texts: [text],
      files: [] as readonly string[],
    })),
  );
  const [first, ...more] = splitFiles(task.files);
  const last = pieces.at(-1);
  if (last === undefined) pieces.push({item, texts: [], files: first ?? []});
  else if (displayWidth(`${last.texts.join('')}${(first ?? []).join('  ')}`) <= maxEntryCells)
    pieces[pieces.length - 1] = {...last, files: first ?? []};
  else pieces.push({item, texts: [], files: first ?? []});
  pieces.push(...more.map((files) => ({item, texts: [], files})));
  return pieces.map((piece, part): PlanEntry => ({
    ...piece,
    kind: 'task',
    id: partId(`tasks[${number - 1}]`, part),
    name: piece.item === item ? `task ${number}` : `the brief of task ${number}`,
    task,
    isFirst: part === 0,
  }));
}

type SectionLabels = {
  readonly name: WhySection;
  readonly label: string;
  /** How one of its items is called. */
  readonly one: string;
};

const whySections: readonly SectionLabels[] = [
  {name: 'problem', label: 'problem', one: 'the problem'},
  {name: 'rootCause', label: 'cause', one: 'the cause'},
  {name: 'assumptions', label: 'assumes', one: 'an assumption'},
  {name: 'invariants', label: 'keeps', one: 'what it keeps'},
  {name: 'risks', label: 'risks', one: 'a risk'},
  {name: 'rejected', label: 'rejected', one: 'what it rejected'},
];

function toWhyEntries({name, label, one}: SectionLabels, items: readonly PlanItem[]): PlanEntry[] {
  const parts = name === 'rejected' ? joinReasons(items) : items;
  return parts.flatMap((item, index) =>
    splitLong(item.text).map((text, part): PlanEntry => ({
      kind: 'why',
      id: partId(item.id, part),
      name: one,
      item,
      section: name,
      label: index === 0 && part === 0 ? label : '',
      text,
    })),
  );
}

/** `A mutex: it would serialise requests.` from the alternative and its reason. */
function joinReasons(items: readonly PlanItem[]): PlanItem[] {
  const joined: PlanItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    const isSame = last !== undefined && item.id.startsWith(`${last.id}#`);
    if (!isSame) joined.push(item);
    else
      joined[joined.length - 1] = {
        ...last,
        text: item.text.startsWith(reasonStart)
          ? `${last.text.replace(/[.:]$/, '')}: ${item.text.slice(reasonStart.length)}`
          : `${last.text} ${item.text}`,
      };
  }

  return joined;
}

const reasonStart = 'Because: ';

/** At 60×15, the smallest window, so many cells are nine rows, and ten are in view. */
const maxEntryCells = 400;

/** An entry is at most as high as the smallest viewport, because its end could not be reached. */
function splitLong(text: string): readonly string[] {
  return displayWidth(text) <= maxEntryCells ? [text] : wrapLine(text, maxEntryCells);
}

function splitFiles(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let cells = 0;
  for (const file of files) {
    const own = displayWidth(file) + 2;
    if (groups.length === 0 || cells + own > maxEntryCells) {
      groups.push([]);
      cells = 0;
    }

    groups.at(-1)?.push(file);
    cells += own;
  }

  return groups;
}

function partId(id: string, part: number): string {
  return part === 0 ? id : `${id} ${part + 1}`;
}

/**
 * The entry that the comments on each line stand below: that of the line, for a heading the one
 * after it, else the last one before it.
 */
export function toEntryOfLine(
  entries: readonly PlanEntry[],
  {lines}: Pick<PlanContent, 'lines'>,
): ReadonlyMap<number, PlanEntry> {
  const byLine = new Map<number, PlanEntry>();
  for (const entry of entries) if (entry.item !== undefined) byLine.set(entry.item.line, entry);
  const found = new Map<number, PlanEntry>();
  let last = entries[0];
  for (const {number, isTitle} of lines) {
    last = byLine.get(number) ?? (isTitle ? byLine.get(number + 1) : undefined) ?? last;
    if (last !== undefined) found.set(number, last);
  }

  return found;
}
