import type {State} from '../../domain/index.ts';
import {
  blank,
  button,
  type Line,
  paragraph,
  plural,
  safeLine,
  span,
  widthOfLine,
} from '../model/line.ts';
import {
  selectAgent,
  selectAgentInRole,
  selectAgents,
  selectModels,
  selectPlanner,
  selectPlanners,
} from '../model/agent-choice.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model, ModelRole} from '../model/model.ts';
import {visibleText} from '../model/text-field.ts';
import type {Body, ScreenView} from './body.ts';
import {sharingLines} from './sharing-lines.ts';

/** The start screen: the field for the objective, and what the run would use. */
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
      span(visibleText(field.for.objective, width - promptColumn).before, 'quiet'),
    ];
  if (field?.for.what !== 'objective')
    return [
      span('  > ', 'quiet'),
      span(`${keyFor(model, 'write-objective', 'start')}, and write`, 'quiet'),
    ];
  const {before, at, after} = visibleText(field, width - promptColumn);
  return [span('  > ', 'accent'), span(before), span(at, 'caret'), span(after)];
}

/** The worker, its model, the planner and the skill. */
function agentLines(model: Model, state: State, width: number): Line[] {
  const agents = selectAgents(model, state);
  const agent = selectAgent(model, state);
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

/** The planner, if there is a choice; and its model, if it is not the worker. */
function plannerLines(model: Model, worker: string, state: State, width: number): Line[] {
  const planners = selectPlanners(model, state);
  const planner = selectPlanner(model, state) ?? worker;
  if (planners.length < 2) return [];
  const hint = keyHint(model, 'next-planner', 'chooses');
  if (!selectAgents(model, state).includes(planner))
    return [
      [
        span('  Plans  ', 'quiet'),
        span(planner, 'strong'),
        span(', as the project says; it is not installed here   ', 'bad'),
        ...hint,
      ],
    ];
  const label = (name: string): string => {
    if (name === worker) return `${name} itself`;
    return name === planners[0] ? `${name} (project)` : name;
  };
  return [
    choiceLine(model, 'Plans', planners.map(label), planners.indexOf(planner), [hint], width),
    ...(selectAgentInRole(model, 'planner', state) === undefined
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
  const {usual, names, chosen, none} = selectModels(model, agent, role, state);
  if (none !== undefined) return [span('  Model  ', 'quiet'), span(`${agent} takes none`, 'quiet')];
  const defaultLabel = usual === undefined ? 'default' : `default (${usual})`;
  const [next, writes]: readonly [ActionName, ActionName] =
    role === 'worker' ? ['next-model', 'name-model'] : ['next-planner-model', 'name-planner-model'];
  const hints = [
    ...(names.length > 1 ? [keyHint(model, next, 'chooses')] : []),
    keyHint(model, writes, 'names another'),
  ];
  // The status line shows the keys of the worker. Those of the planner are shown only here, so none
  // may be dropped.
  return choiceLine(
    model,
    'Model',
    names.map((name) => (name === '' ? defaultLabel : name)),
    names.indexOf(chosen),
    role === 'worker' ? hints : [sideBySide(hints)],
    width,
  );
}

/**
 * All choices side by side, with as many key hints as fit; else the chosen one and the number of
 * others.
 */
function choiceLine(
  {isScreenReader}: Model,
  label: string,
  names: readonly string[],
  at: number,
  hints: readonly Line[],
  width: number,
): Line {
  const before = span(`  ${label}  `, 'quiet');
  const others = names.toSpliced(at, 1);
  const otherText = isScreenReader
    ? `chosen; also ${others.join(', ')}   `
    : `and ${others.length} more   `;
  const more = others.length === 0 ? '' : otherText;
  const short: Line = [
    before,
    ...(isScreenReader ? [] : [span('● ', 'accent')]),
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
  const choices = isScreenReader
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

/** Empty unless the objective is being written, where the key works. */
function keyHint(model: Model, action: ActionName, text: string): Line {
  return model.field?.for.what === 'objective'
    ? button(action, span(keyFor(model, action, 'prompt'), 'accent'), span(` ${text}`, 'quiet'))
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

/** Problems of the project file. They explain why a declared agent or service is missing. */
function projectLines({repository: {project}}: Model, width: number): Line[] {
  if (project === undefined || project.problems === 0) return [];
  const more = project.problems === 1 ? '' : ` (and ${project.problems - 1} more)`;
  return paragraph(`.orchestra/project.yaml:${safeLine(project.first)}${more}`, width, {
    first: '  ! ',
    indent: 4,
    tone: 'needs',
  }).slice(0, 4);
}

/** Notes about the repository. If not all fit, their number is shown; the plan has all of them. */
function noteLines({answers: {repository = []}}: Model, width: number): Line[] {
  const rows = repository.flatMap((text) =>
    paragraph(safeLine(text), width, {first: '  ! ', indent: 4, tone: 'needs'}),
  );
  return rows.length <= maxNoteRows
    ? rows
    : [
        ...rows.slice(0, maxNoteRows - 1),
        [
          span(
            `    and more: ${plural(repository.length, 'note', 'notes')} about the repository; the plan has all of them`,
            'needs',
          ),
        ],
      ];
}

const maxNoteRows = 8;

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
