import {formatNeed} from '../../reports/index.ts';
import {
  type Need,
  selectNeeds,
  selectSession,
  selectTask,
  type State,
  taskIdOfSession,
} from '../../domain/index.ts';
import {
  blank,
  ends,
  formatAgo,
  type Line,
  maxProseColumns,
  paragraph,
  span,
} from '../model/line.ts';
import {isOpenNeed, selectAnswerOptions, selectNeedPosition} from '../model/needs-queue.ts';
import {keyFor} from '../keymap/key-for.ts';
import {mayHaveCode} from '../model/open-screen.ts';
import type {Body, ScreenView} from './body.ts';
import {formatForTask, withoutOptions} from './need-in-brief.ts';
import {acceptLines, branchLines, codeLines, optionLines, planLines} from './need-lines.ts';
import {adviceLines, explanationOf, stoppedLines, wayLines} from './need-stopped-lines.ts';

/** One need in full: what it is, details, and the keys that answer it. */
export function needsBody({model, state, size, now}: ScreenView): Body {
  const columns = Math.min(size.columns, maxProseColumns);
  const {need} = model;
  if (need === undefined)
    return {
      list: 'need',
      head: [],
      rows: [
        blank,
        [span('  Nothing needs you.', 'good')],
        blank,
        ...paragraph(
          `Workers go on by themselves. Whatever needs you is shown in the first line, and ${keyFor(model, 'next-need', 'command')} leads to it.`,
          columns - 4,
          {first: '  '},
        ),
      ],
      foot: [],
      hasCursor: false,
    };
  const position = selectNeedPosition(state, need);
  const isStillOpen = isOpenNeed(need, state);
  const where = isStillOpen
    ? `${position.at} of ${position.of}`
    : `settled; ${position.of === 0 ? 'nothing else needs you' : `${position.of} more`}`;
  return {
    list: 'need',
    head: [
      ends(
        [
          span(` ${formatTitle(need)}`, isStillOpen ? 'needs' : 'good'),
          span(formatOrigin(state, need)),
          span(`  ${formatAgo(now - need.since)}`, 'quiet'),
        ],
        [span(`${where} `, 'quiet')],
        size.columns,
      ),
      blank,
    ],
    rows: isStillOpen
      ? [
          ...paragraph(
            sentence(need, formatForTask(formatNeed(withoutOptions(need)), state)),
            columns - 4,
            {first: '  ', tone: 'strong'},
          ),
          blank,
          ...linesAbout({model, state, now}, need, columns),
        ]
      : settledLines({model, state}, need, position.of, columns),
    foot: [],
    hasCursor: false,
  };
}

const titles: Readonly<Record<Need['kind'], string>> = {
  plan: 'A plan to approve',
  planless: 'No plan came of it',
  question: 'A question',
  'uncertain-input': 'Typed or not?',
  stopped: 'A task stopped',
  trouble: 'Something is in the way',
  parked: 'Paused',
  budget: 'The budget is used up',
  accept: 'Done, to be accepted',
  branch: 'The branch was moved',
  unstoppable: 'A process does not end',
  loop: 'An agent goes in circles',
  'nothing-left': 'Nothing is left',
  service: 'A service is down',
  'service-missing': 'A service is missing',
  intrusion: 'An agent went too far',
};

function formatTitle(need: Need): string {
  if (need.kind === 'question' && need.secret) return 'A secret';
  return mayHaveCode(need) ? 'Somebody asks in your name' : titles[need.kind];
}

/** The task of the session that a need is about: session ids tell a person little. */
function formatOrigin(state: State, need: Need): string {
  const session = 'session' in need ? selectSession(state, need.session) : undefined;
  const id = session === undefined ? undefined : taskIdOfSession(session);
  const task = id === undefined ? undefined : selectTask(state, id);
  return task === undefined ? '' : ` from ${task.id} ${task.planned.title}`;
}

function sentence({kind}: Need, text: string): string {
  // Ids and service names keep their case.
  if (/^[rs]\d/.test(text) || kind === 'service') return text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function settledLines(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  need: Need,
  left: number,
  columns: number,
): Line[] {
  // The subject may have another need, for example because the decision failed. Then it is not
  // settled.
  const again = selectNeeds(state).find((other) => subjectOf(other) === subjectOf(need));
  return [
    ...paragraph(
      sentence(need, formatForTask(formatNeed(withoutOptions(need)), state)),
      columns - 4,
      {first: '  ', tone: 'quiet'},
    ),
    blank,
    ...(again === undefined
      ? [[span('  ✓ This is settled.', 'good')]]
      : [
          [span('  ! This is over, but it needs you again:', 'needs')],
          ...paragraph(formatForTask(formatNeed(again), state), columns - 6, {
            first: '    ',
            tone: 'strong',
          }),
        ]),
    blank,
    [
      span(
        left === 0
          ? `  Nothing else needs you. ${keyFor(model, 'back', 'need-last')} leads back.`
          : `  ${keyFor(model, 'next-need', 'need-settled')} shows the next.`,
      ),
    ],
  ];
}

function subjectOf(need: Need): string {
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('session' in need) return need.session;
  return 'service' in need ? need.service : need.owner;
}

function linesAbout(
  {model, state, now}: Pick<ScreenView, 'model' | 'state' | 'now'>,
  need: Need,
  columns: number,
): Line[] {
  const advice = (of: string): Line[] => adviceLines(explanationOf(model, of) ?? '', columns);
  const resumeHint = paragraph(
    `Nothing of it moves until you resume it with ${keyFor(model, 'resume', 'need-halted')}.`,
    columns - 4,
    {first: '  ', tone: 'quiet'},
  );
  switch (need.kind) {
    case 'question':
      return need.secret
        ? paragraph(
            'It asks for a secret. What you type goes to its pane alone: it is not shown, not written down, and no agent sees it.',
            columns - 4,
            {first: '  '},
          )
        : optionLines(model, selectAnswerOptions(need), need, columns);
    case 'stopped':
      return stoppedLines(model, state, need, columns);
    case 'planless':
      return need.why.kind === 'invalid'
        ? need.why.problems.flatMap((problem) => paragraph(problem, columns - 6, {first: '  - '}))
        : advice(need.run);
    case 'plan':
      return planLines(state, need, columns);
    case 'branch':
      return branchLines(model, need, columns);
    case 'unstoppable':
      return paragraph(
        'It is tried further, and nothing is begun in its place as long as it lives. End its processes yourself if you may.',
        columns - 4,
        {first: '  '},
      );
    case 'loop':
      return [
        ...paragraph(
          `It began ${formatAgo(now - need.from)}. The agent goes on meanwhile.`,
          columns - 4,
          {first: '  '},
        ),
        blank,
        ...(
          [
            ['seen', 'let it go on; this is not asked again'],
            ['stop', 'stop it; what it did is kept'],
            ['take-over', 'take over: the same conversation and worktree, in your hands'],
            ['note', 'leave a note for whoever works on it next'],
          ] as const
        ).flatMap(([action, text]) =>
          wayLines(action, keyFor(model, action, 'need-loop'), text, columns),
        ),
      ];
    case 'accept':
      return acceptLines({model, state}, need, columns);
    case 'trouble':
      return [...advice(need.owner), ...resumeHint];
    case 'parked':
      return [...advice(need.run), ...resumeHint];
    case 'budget':
      return paragraph(
        `Nothing of it moves meanwhile, and nothing is lost. Twice as much is granted with ${keyFor(model, 'more-budget')}.`,
        columns - 4,
        {first: '  '},
      );
    case 'service': {
      const command = state.services.find(({spec}) => spec.name === need.service)?.spec.command;
      return [
        ...(command === undefined
          ? []
          : paragraph(command, columns - 4, {first: '  It runs: ', indent: 11})),
        blank,
        ...paragraph(`What it printed: orchestra service logs ${need.service}`, columns - 4, {
          first: '  ',
          tone: 'quiet',
        }),
      ];
    }

    case 'service-missing':
      return paragraph(
        state.services.some(({spec}) => spec.name === need.service)
          ? `You stopped it, or it has not run yet. ${keyFor(model, 'start-service', 'need-missing')} starts it, and the task begins when it is ready.`
          : `The service ${need.service} is not declared: name it in .orchestra/project.yaml, then start it here.`,
        columns - 4,
        {first: '  '},
      );
    case 'intrusion':
      return mayHaveCode(need) ? codeLines(model, need, now, columns) : [];
    case 'uncertain-input':
      return paragraph(
        'It may have been typed just when a process died. Nothing is typed twice by itself: look at the pane below, then answer.',
        columns - 4,
        {first: '  '},
      );
    default:
      return [];
  }
}
