import {ageOf, needInWords, toothText} from '../../documents/index.ts';
import {
  needsOf,
  runIdIn,
  runOf,
  sessionOf,
  taskIdOfSession,
  taskOf,
  type Need,
  type State,
} from '../../domain/index.ts';
import {safeLine} from '../model/cell-text.ts';
import {isOpen} from '../model/is-open.ts';
import type {Deed} from '../model/deed.ts';
import {keyFor} from '../model/key-for.ts';
import {
  blank,
  button,
  ends,
  pressable,
  span,
  widthOfLine,
  type Line,
  type Pressed,
} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {answersTo, positionOf} from '../model/needs-queue.ts';
import {mayHaveCode} from '../model/open-screen.ts';
import type {Body, ScreenView} from './body.ts';
import {inTaskWords} from './in-task-words.ts';
import {withoutOptions} from './need-in-brief.ts';
import {agoOf, heading, paragraph, readable} from './words.ts';

/** One thing that waits for the person, whole: what it is, what is known about it, and the keys that answer it. */
export function needsBody({model, state, size, now}: ScreenView): Body {
  const columns = Math.min(size.columns, readable);
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
  const position = positionOf(state, need);
  const isStillOpen = isOpen(need, state);
  const where = isStillOpen
    ? `${position.at} of ${position.of}`
    : `settled; ${position.of === 0 ? 'nothing else needs you' : `${position.of} more`}`;
  return {
    list: 'need',
    head: [
      ends(
        [
          span(` ${titleOf(need)}`, isStillOpen ? 'needs' : 'good'),
          span(whoseOf(state, need)),
          span(`  ${agoOf(now - need.since)}`, 'quiet'),
        ],
        [span(`${where} `, 'quiet')],
        size.columns,
      ),
      blank,
    ],
    rows: isStillOpen
      ? [
          ...paragraph(
            sentence(need, inTaskWords(needInWords(withoutOptions(need)), state)),
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
  parked: 'Set aside',
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

function titleOf(need: Need): string {
  if (need.kind === 'question' && need.secret) return 'A secret';
  return mayHaveCode(need) ? 'Somebody asks in your name' : titles[need.kind];
}

/** For a session the task that it works for: ids of sessions tell a person little. */
function whoseOf(state: State, need: Need): string {
  const session = 'session' in need ? sessionOf(state, need.session) : undefined;
  const id = session === undefined ? undefined : taskIdOfSession(session);
  const task = id === undefined ? undefined : taskOf(state, id);
  return task === undefined ? '' : ` from ${task.id} ${task.planned.title}`;
}

function sentence({kind}: Need, words: string): string {
  // Ids and names stay as they are typed.
  if (/^[rs]\d/.test(words) || kind === 'service') return words;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function settledLines(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  need: Need,
  left: number,
  columns: number,
): Line[] {
  // What was done about it may have failed: that is another need, and no reason for a tick.
  const again = needsOf(state).find((other) => subjectOf(other) === subjectOf(need));
  return [
    ...paragraph(
      sentence(need, inTaskWords(needInWords(withoutOptions(need)), state)),
      columns - 4,
      {first: '  ', tone: 'quiet'},
    ),
    blank,
    ...(again === undefined
      ? [[span('  ✓ This is settled.', 'good')]]
      : [
          [span('  ! This is over, but it needs you again:', 'needs')],
          ...paragraph(inTaskWords(needInWords(again), state), columns - 6, {
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
  const advice = (of: string): Line[] => adviceLines(toldOf(model, of) ?? '', columns);
  const still = paragraph(
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
        : optionLines(model, answersTo(need), need, columns);
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
          `It began ${agoOf(now - need.from)}. The agent goes on meanwhile.`,
          columns - 4,
          {first: '  '},
        ),
        blank,
        ...(
          [
            ['seen', 'let it go on; this is not asked again'],
            ['stop', 'stop it; what it did is kept'],
            ['take-over', 'take over: the same conversation and worktree, in your hands'],
            ['note', 'leave words for whoever begins on it next'],
          ] as const
        ).flatMap(([does, words]) =>
          wayLines(does, keyFor(model, does, 'need-loop'), words, columns),
        ),
      ];
    case 'accept':
      return acceptLines({model, state}, need, columns);
    case 'trouble':
      return [...advice(need.owner), ...still];
    case 'parked':
      return [...advice(need.run), ...still];
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

/** If it was the person, elsewhere, they type the code there. Whoever else can read this screen can read it, too. */
function codeLines(
  model: Model,
  {intent}: Extract<Need, {readonly kind: 'intrusion'}>,
  now: number,
  columns: number,
): Line[] {
  const open = (model.answers.codes ?? []).filter(
    (one) => one.intent === intent && one.until > now,
  );
  if (open.length === 0)
    return paragraph(
      'No one-time code waits for it: it is too old, used up, or was never for a person. Who asks again gets a new one.',
      columns - 4,
      {first: '  ', tone: 'quiet'},
    );
  return [
    ...open.flatMap(({code, what, words, until}) => [
      [
        span('  '),
        span(safeLine(code), 'accent'),
        span(`  ${safeLine(what)}, for ${ageOf(until - now)} more`),
      ],
      ...paragraph(`asked by ${words}`, columns - 4, {first: '  ', tone: 'quiet'}),
    ]),
    blank,
    ...paragraph(
      `If that is you: repeat the command there with --code and this code. If not: ${keyFor(model, 'seen', 'need-intrusion')}, and the code is worth nothing.`,
      columns - 4,
      {first: '  '},
    ),
  ];
}

function optionLines(
  model: Model,
  options: readonly string[],
  {proof, asked, source}: Extract<Need, {readonly kind: 'question'}>,
  columns: number,
): Line[] {
  const why =
    asked !== undefined
      ? 'The agent asks you, and waits for your answer.'
      : source === 'agent'
        ? 'The agent itself says that it waits for you.'
        : source === 'screen'
          ? 'Its dialog stands on its screen. A number chooses in that very dialog, or does nothing.'
          : proof === 'proven'
            ? 'The kernel says that it waits for input.'
            : 'It seems to wait: it is silent and its last line looks like a question.';
  const [writes, types] = [keyFor(model, 'answer'), keyFor(model, 'type', 'need-question')];
  return [
    ...(options.length === 0
      ? [
          [
            span(
              asked === undefined
                ? `  ${writes} writes an answer; ${types} types straight into its pane.`
                : `  ${writes} writes an answer.`,
            ),
          ],
        ]
      : answerLines(options, columns)),
    ...paragraph(why, columns - 4, {first: '  ', tone: 'quiet'}),
  ];
}

/** On one line where they are short, as `y` and `n` are; else one below the other. Each can be clicked. */
function answerLines(options: readonly string[], columns: number): Line[] {
  const row = options.flatMap((option, index) =>
    pressable(optionOf(index), span(`  ${index + 1} `, 'accent'), span(option, 'strong')),
  );
  if (widthOfLine(row) <= Math.min(columns - 2, 60)) return [row];
  return options.flatMap((option, index) =>
    paragraph(option, columns - 6, {first: `  ${index + 1} `, tone: 'strong'}).map((line) =>
      pressable(optionOf(index), ...line),
    ),
  );
}

function optionOf(index: number): Pressed {
  return {does: 'option', chord: String(index + 1)};
}

/** Stop and explain: the three ways on, what failed, and what was tried. */
function stoppedLines(
  model: Model,
  state: State,
  need: Extract<Need, {kind: 'stopped'}>,
  columns: number,
): Line[] {
  const task = taskOf(state, need.task);
  const told = toldOf(model, need.task);
  return [
    heading('  Three ways on'),
    ...(
      [
        ['grant', 'one more attempt, with your hint; what failed is told to the agent again'],
        ['take-over', 'take over: the same conversation and worktree, in your hands'],
        ['discard', 'discard it; what was done is kept'],
      ] as const
    ).flatMap(([does, words]) =>
      wayLines(does, keyFor(model, does, 'need-stopped'), words, columns),
    ),
    blank,
    ...failureLines(state, need, columns),
    ...(told === undefined
      ? [[span('  Reading what was tried …', 'quiet')]]
      : [...adviceLines(told, columns), ...explanationLines(told, columns)]),
    ...(task === undefined
      ? []
      : paragraph(
          `${task.planned.title}: ${task.attempts.length} of ${task.allowed} attempts are used`,
          columns - 4,
          {first: '  ', tone: 'quiet'},
        )),
  ];
}

/** A key and what comes of it, whole: a key of the person's own may have a long name. */
function wayLines(does: Deed, key: string, words: string, columns: number): Line[] {
  return paragraph(words, columns - 1, {indent: key.length + 3}).map((row, index) =>
    index === 0
      ? button(
          does,
          span(`  ${key} `, 'accent'),
          span(
            row
              .map(({text}) => text)
              .join('')
              .trimStart(),
          ),
        )
      : button(does, ...row),
  );
}

/** What the sentence above does not say: the output of the check, the words of the rule, the lines that conflict. */
function failureLines(
  state: State,
  {task, why}: Extract<Need, {kind: 'stopped'}>,
  columns: number,
): Line[] {
  const quote = (text: string): Line[] => [
    ...text
      .split('\n')
      .slice(0, 14)
      .flatMap((one) => paragraph(one, columns - 6, {first: '    ', tone: 'bad'})),
    blank,
  ];
  switch (why.kind) {
    case 'check':
      return [
        heading(`  What ${why.name} said first${why.on === 'merge' ? ', after merging' : ''}`),
        ...quote(why.firstFailure.replace(/^unknown\n/, '')),
      ];
    case 'rule': {
      const stage = runOf(state, runIdIn(task))?.stage;
      const rule =
        stage !== undefined && 'ground' in stage
          ? stage.ground.rules.rules.find(({number}) => number === why.number)
          : undefined;
      return rule === undefined
        ? []
        : [
            heading(`  Rule ${why.number} says`),
            ...quote(
              `${rule.text}${rule.tooth === undefined ? '' : ` [${toothText(rule.tooth)}]`}`,
            ),
          ];
    }

    case 'conflict':
      return why.hunks === undefined ? [] : [heading('  Where it conflicts'), ...quote(why.hunks)];
    case 'scope':
      return [heading('  Outside the plan'), ...quote(why.paths.join('\n'))];
    default:
      return [];
  }
}

function toldOf({answers: {explanation}}: Model, of: string): string | undefined {
  return explanation?.of === of && 'value' in explanation ? explanation.value.text : undefined;
}

/** What to look at before one of the keys is pressed: it stands between the head of the explanation and its first part. */
function adviceLines(text: string, columns: number): Line[] {
  const [head = ''] = text.split(/^(?=## )/m);
  const lines = head
    .split('\n')
    .filter((one) => one.trim() !== '' && !one.startsWith('# ') && !one.startsWith('Task: '));
  return lines.length === 0
    ? []
    : [
        ...lines.flatMap((one) => paragraph(one.replace(/^- /, '  '), columns - 4, {first: '  '})),
        blank,
      ];
}

/** The explanation without what the screen says itself: its head, the first failure, and the commands of the command line. */
function explanationLines(text: string, columns: number): Line[] {
  const parts = text
    .split(/^(?=## )/m)
    .slice(1)
    .filter((part) => !/^## (?:What (?:failed first|you can do)|Conflicts)/.test(part));
  return parts.flatMap((part) =>
    part
      .trimEnd()
      .split('\n')
      .flatMap((one) => {
        if (one.startsWith('## ')) return [heading(`  ${one.slice(3)}`)];
        return one.startsWith('```') || one.trim() === ''
          ? []
          : paragraph(one.replace(/^- /, ''), columns - 2, {
              first: one.startsWith('- ') ? '    - ' : '    ',
            });
      })
      .concat([blank]),
  );
}

function planLines(
  state: State,
  {run: id}: Extract<Need, {kind: 'plan'}>,
  columns: number,
): Line[] {
  const stage = runOf(state, id)?.stage;
  if (stage?.at !== 'reviewing') return [];
  const {plan} = stage.proposal;
  return [
    ...paragraph(plan.problem, columns - 4, {first: '  '}),
    blank,
    heading('  Tasks'),
    ...plan.tasks.flatMap(({id: name, title, after}) =>
      paragraph(
        `${title}${after.length === 0 ? '' : ` (after ${after.join(', ')})`}`,
        columns - 8,
        {first: `  ${name}  `},
      ),
    ),
  ];
}

function branchLines(
  model: Model,
  {run, branch, expected, found, relation}: Extract<Need, {kind: 'branch'}>,
  columns: number,
): Line[] {
  const keys = [
    ...(relation === 'ahead'
      ? [
          `${keyFor(model, 'adopt-branch', 'need-branch')} takes it over: ${run} goes on from there, and the next merge is checked on top of it.`,
        ]
      : []),
    `${keyFor(model, 'restore-branch', 'need-branch')} puts ${branch} back to ${expected.slice(0, 12)}; what is there now is kept under another name.`,
  ];
  return [
    ...paragraph(
      `What is there and is not the run's: git diff ${expected.slice(0, 12)} ${found.slice(0, 12)}`,
      columns - 4,
      {first: '  '},
    ),
    blank,
    ...keys.flatMap((line) => paragraph(line, columns - 4, {first: '  '})),
    blank,
    ...paragraph(
      `Nothing is merged into ${branch}, and nothing is accepted, until you have said what holds.`,
      columns - 4,
      {first: '  ', tone: 'quiet'},
    ),
  ];
}

function acceptLines(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  {run: id, refusal, isUnchecked}: Extract<Need, {kind: 'accept'}>,
  columns: number,
): Line[] {
  const run = runOf(state, id);
  const into = run !== undefined && 'ground' in run.stage ? run.stage.ground.branch : null;
  return [
    ...(run?.tasks ?? []).flatMap(({planned, stage}) =>
      paragraph(`${planned.title}: ${stage.at}`, columns - 10, {
        first: `  ${stage.at === 'merged' ? '✓' : '-'} ${planned.id}  `,
        tone: stage.at === 'merged' ? 'plain' : 'quiet',
      }),
    ),
    blank,
    ...paragraph(
      `${isUnchecked === true ? 'Every check was green after the last merge; no check has seen what you took over after it.' : 'Every check was green after the last merge.'} ${refusal === undefined ? '' : 'Your branch is as it was: see to what is named above, then '}${keyFor(model, 'accept', 'need-accept')} brings it into ${into ?? 'your checkout'}.`,
      columns - 4,
      {first: '  '},
    ),
  ];
}
