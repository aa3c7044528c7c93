import type {State} from '../../domain/index.ts';
import {safeLine} from '../model/cell-text.ts';
import {agentsOf, chosenAgent, plannerFor, plannersOf} from '../model/agents-of.ts';
import type {Deed} from '../model/deed.ts';
import {keyFor} from '../model/key-for.ts';
import {blank, button, span, widthOfLine, type Line} from '../model/line.ts';
import type {Model, ModelRole} from '../model/model.ts';
import {agentIn, modelsOf} from '../model/models-of.ts';
import {windowOf} from '../model/text-field.ts';
import type {Body, ScreenView} from './body.ts';
import {sharingLines} from './sharing-lines.ts';
import {paragraph, plural} from './words.ts';

/** A repository with nothing to do yet: what should be different? */
export function startBody({model, state, size: {columns}}: ScreenView): Body {
  const width = Math.min(columns - 4, 100);
  const rows =
    model.repository.trouble === undefined
      ? promptRows(model, state, width)
      : troubleRows(model, model.repository.trouble, width);
  return {
    list: 'help',
    head: [
      blank,
      [span('  orchestra', 'title'), span(`  in ${model.repository.name}`, 'quiet')],
      blank,
    ],
    rows,
    foot: [],
    hasCursor: false,
  };
}

function troubleRows(model: Model, trouble: 'no-git' | 'no-commits', width: number): Line[] {
  const key = keyFor(model, 'prepare-repository', 'start');
  const [what, offer] =
    trouble === 'no-git'
      ? [
          'This directory is not a git repository. Each task works in a worktree of its own, and those are made by git.',
          'makes it one: git init, and a first commit of what is here',
        ]
      : [
          'This repository has no commit yet. Each task begins from a commit.',
          'makes a first commit of what is here',
        ];
  return [
    ...paragraph(what, width, {first: '  '}),
    blank,
    button('prepare-repository', span(`  ${key}  ${offer}`, 'accent')),
    blank,
    ...paragraph('Or do it yourself, and start orchestra again.', width, {
      first: '  ',
      tone: 'quiet',
    }),
  ];
}

function promptRows(model: Model, state: State, width: number): Line[] {
  return [
    [span('  What should be different?', 'strong')],
    blank,
    promptLine(model, width),
    [span(`  ${'─'.repeat(Math.max(0, width - 2))}`, 'quiet')],
    blank,
    ...agentLines(model, state, width),
    rulesLine(model),
    ...projectLines(model, width),
    ...sharingLines(model, 'start', width),
    ...noteLines(model, width),
    blank,
    ...historyLines(model, width),
    ...paragraph(
      'A planner reads the repository and writes nothing. You read its plan and approve it; only then do workers start, each in a worktree of its own.',
      width,
      {first: '  ', tone: 'quiet'},
    ),
  ];
}

const promptColumn = 4;

function promptLine(model: Model, width: number): Line {
  const {field} = model;
  // While the name of a model is written, the objective waits.
  if (field?.for.what === 'model')
    return [
      span('  > ', 'quiet'),
      span(windowOf(field.for.objective, width - promptColumn).before, 'quiet'),
    ];
  if (field?.for.what !== 'objective')
    return [
      span('  > ', 'quiet'),
      span(`${keyFor(model, 'write-objective', 'start')}, and write`, 'quiet'),
    ];
  const {before, at, after} = windowOf(field, width - promptColumn);
  return [span('  > ', 'accent'), span(before), span(at, 'caret'), span(after)];
}

/** Who works, with which model, and who plans where that is somebody else. */
function agentLines(model: Model, state: State, width: number): Line[] {
  const agents = agentsOf(model, state);
  const agent = chosenAgent(model, state);
  const {worker} = state.project;
  const absent: Line[] =
    worker === undefined || agents.includes(worker)
      ? []
      : [
          [
            span('         '),
            span(`${worker} is to work, as the project says, and is not installed here`, 'needs'),
          ],
        ];
  if (agent === undefined)
    return [
      [
        span('  Agent  ', 'quiet'),
        span('none is installed or declared; see orchestra doctor', 'bad'),
      ],
      ...absent,
    ];
  return [
    choiceLine(
      model,
      'Agent',
      agents,
      agents.indexOf(agent),
      agents.length > 1 ? [keyHint(model, 'next-agent', 'chooses')] : [],
      width,
    ),
    ...absent,
    modelLine(model, agent, 'worker', state, width),
    ...plannerLines(model, agent, state, width),
    ...skillLines(model, width),
  ];
}

/** Who plans, where there is somebody to choose from; and with which model, if that is not who works. */
function plannerLines(model: Model, worker: string, state: State, width: number): Line[] {
  const planners = plannersOf(model, state);
  const planner = plannerFor(model, state) ?? worker;
  if (planners.length < 2) return [];
  const hint = keyHint(model, 'next-planner', 'chooses');
  if (!agentsOf(model, state).includes(planner))
    return [
      [
        span('  Plans  ', 'quiet'),
        span(planner, 'strong'),
        span(', as the project says; it is not installed here   ', 'bad'),
        ...hint,
      ],
    ];
  const called = (name: string): string =>
    name === worker ? `${name} itself` : name === planners[0] ? `${name} (project)` : name;
  return [
    choiceLine(model, 'Plans', planners.map(called), planners.indexOf(planner), [hint], width),
    ...(agentIn(model, 'planner', state) === undefined
      ? []
      : [modelLine(model, planner, 'planner', state, width)]),
  ];
}

function skillLines(model: Model, width: number): Line[] {
  const skills = model.answers.skills ?? [];
  const names = ['none', ...skills.map(safeLine)];
  return skills.length === 0
    ? []
    : [
        choiceLine(
          model,
          'Skill',
          names,
          Math.max(0, skills.indexOf(model.skill) + 1),
          [keyHint(model, 'next-skill', 'chooses')],
          width,
        ),
      ];
}

function modelLine(
  model: Model,
  agent: string,
  role: ModelRole,
  state: State,
  width: number,
): Line {
  const {usual, names, chosen, none} = modelsOf(model, agent, role, state);
  if (none !== undefined) return [span('  Model  ', 'quiet'), span(`${agent} takes none`, 'quiet')];
  const called = (name: string): string =>
    name !== '' ? name : usual === undefined ? 'default' : `default (${usual})`;
  const [next, writes]: readonly [Deed, Deed] =
    role === 'worker' ? ['next-model', 'name-model'] : ['next-planner-model', 'name-planner-model'];
  const hints = [
    ...(names.length > 1 ? [keyHint(model, next, 'chooses')] : []),
    keyHint(model, writes, 'names another'),
  ];
  // The last line names the keys of the worker; those of the planner stand here alone, so none of them gives way.
  return choiceLine(
    model,
    'Model',
    names.map(called),
    names.indexOf(chosen),
    role === 'worker' ? hints : [sideBySide(hints)],
    width,
  );
}

/** All that can be chosen, side by side, with the keys for it as far as there is room; else what is chosen and how many more there are. */
function choiceLine(
  {isReader}: Model,
  label: string,
  names: readonly string[],
  at: number,
  hints: readonly Line[],
  width: number,
): Line {
  const before = span(`  ${label}  `, 'quiet');
  const others = names.toSpliced(at, 1);
  const more =
    others.length === 0
      ? ''
      : isReader
        ? `chosen; also ${others.join(', ')}   `
        : `and ${others.length} more   `;
  const short: Line = [
    before,
    ...(isReader ? [] : [span('● ', 'accent')]),
    span(`${names[at] ?? ''}   `, 'strong'),
    span(more, 'quiet'),
  ];
  const whole: Line = [
    before,
    ...names.flatMap((name, index) => [
      span(index === at ? '● ' : '○ ', index === at ? 'accent' : 'quiet'),
      span(`${name}   `, index === at ? 'strong' : 'quiet'),
    ]),
  ];
  const all = sideBySide(hints);
  const choices = isReader
    ? []
    : [
        [...whole, ...all],
        [...whole, ...(hints.at(-1) ?? [])],
      ];
  return choices.find((one) => widthOfLine(one) <= width + 2) ?? [...short, ...all];
}

function sideBySide(hints: readonly Line[]): Line {
  return hints.flatMap((hint) => [...hint, span('  ')]).slice(0, -1);
}

/** Only while the key works. */
function keyHint(model: Model, does: Deed, words: string): Line {
  return model.field?.for.what === 'objective'
    ? button(does, span(keyFor(model, does, 'prompt'), 'accent'), span(` ${words}`, 'quiet'))
    : [];
}

function rulesLine({repository: {rules}}: Model): Line {
  if (!rules.exists)
    return [
      span('  Rules  ', 'quiet'),
      span('none: nothing but the plan binds the workers. ', 'needs'),
      span('.rulesfile.md holds them', 'quiet'),
    ];
  if (rules.problems > 0)
    return [
      span('  Rules  ', 'quiet'),
      span(
        `! ${plural(rules.rules, 'rule', 'rules')}, ${plural(rules.problems, 'problem', 'problems')}: `,
        'needs',
      ),
      span('orchestra rules check', 'quiet'),
    ];
  return [
    span('  Rules  ', 'quiet'),
    span(`✓ ${plural(rules.rules, 'rule', 'rules')}, no problems`, 'good'),
  ];
}

/** What is wrong there counts as not said; who waits for an agent or a service to appear finds the reason here. */
function projectLines({repository: {project}}: Model, width: number): Line[] {
  if (project === undefined || project.problems === 0) return [];
  const more = project.problems === 1 ? '' : ` (and ${project.problems - 1} more)`;
  return paragraph(`.orchestra/project.yaml:${safeLine(project.first)}${more}`, width, {
    first: '  ! ',
    indent: 4,
    tone: 'needs',
  }).slice(0, 4);
}

/** What a run would meet here. What has no room is told by its number: the plan has all of it. */
function noteLines({answers: {repository = []}}: Model, width: number): Line[] {
  const rows = repository.flatMap((words) =>
    paragraph(safeLine(words), width, {first: '  ! ', indent: 4, tone: 'needs'}),
  );
  return rows.length <= mostNoteRows
    ? rows
    : [
        ...rows.slice(0, mostNoteRows - 1),
        [
          span(
            `    and more: ${plural(repository.length, 'note', 'notes')} about the repository; the plan has all of them`,
            'needs',
          ),
        ],
      ];
}

const mostNoteRows = 8;

function historyLines(model: Model, width: number): Line[] {
  const {objectives, field} = model;
  if (objectives.length === 0) return [];
  const chosen = field?.older;
  const recent = objectives
    .map((text, index) => ({text, index}))
    .slice(-4)
    .toReversed();
  return [
    [span(`  Earlier, with ${keyFor(model, 'older', 'prompt')}`, 'quiet')],
    ...recent.map(({text, index}): Line => [
      span(index === chosen ? '  ▸ ' : '    ', 'accent'),
      span(text.slice(0, width), 'quiet'),
    ]),
    blank,
  ];
}
