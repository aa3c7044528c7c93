import {formatDirective} from '../../rules/index.ts';
import {type Need, runIdIn, selectRun, selectTask, type State} from '../../domain/index.ts';
import {blank, button, heading, type Line, paragraph, span} from '../model/line.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from '../model/model.ts';

/** A stopped task: the three ways on, what failed, and what was tried. */
export function stoppedLines(
  model: Model,
  state: State,
  need: Extract<Need, {kind: 'stopped'}>,
  columns: number,
): Line[] {
  const task = selectTask(state, need.task);
  const explanation = explanationOf(model, need.task);
  return [
    heading('  Three ways on'),
    ...(
      [
        ['grant', 'one more attempt, with your hint; what failed is told to the agent again'],
        ['take-over', 'take over: the same conversation and worktree, in your hands'],
        ['discard', 'discard it; what was done is kept'],
      ] as const
    ).flatMap(([action, text]) =>
      wayLines(action, keyFor(model, action, 'need-stopped'), text, columns),
    ),
    blank,
    ...failureLines(state, need, columns),
    ...(explanation === undefined
      ? [[span('  Reading what was tried …', 'quiet')]]
      : [...adviceLines(explanation, columns), ...explanationLines(explanation, columns)]),
    ...(task === undefined
      ? []
      : paragraph(
          `${task.planned.title}: ${task.attempts.length} of ${task.allowed} attempts are used`,
          columns - 4,
          {first: '  ', tone: 'quiet'},
        )),
  ];
}

/** A key and what it does, wrapped: the name of a changed key may be long. */
export function wayLines(
  action: ActionName,
  key: string,
  message: string,
  columns: number,
): Line[] {
  return paragraph(message, columns - 1, {indent: key.length + 3}).map((row, index) =>
    index === 0
      ? button(
          action,
          span(`  ${key} `, 'accent'),
          span(
            row
              .map(({text}) => text)
              .join('')
              .trimStart(),
          ),
        )
      : button(action, ...row),
  );
}

/**
 * Details that the sentence above does not contain: output of the check, text of the rule,
 * conflicting lines.
 */
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
      const stage = selectRun(state, runIdIn(task))?.stage;
      const rule =
        stage !== undefined && 'ground' in stage
          ? stage.ground.rules.rules.find(({number}) => number === why.number)
          : undefined;
      return rule === undefined
        ? []
        : [
            heading(`  Rule ${why.number} says`),
            ...quote(
              `${rule.text}${rule.tooth === undefined ? '' : ` [${formatDirective(rule.tooth)}]`}`,
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

export function explanationOf({answers: {explanation}}: Model, of: string): string | undefined {
  return explanation?.of === of && 'value' in explanation ? explanation.value.text : undefined;
}

/** The advice in an explanation: the text between its head and its first section. */
export function adviceLines(text: string, columns: number): Line[] {
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

/**
 * The sections of an explanation that the screen does not show otherwise: without the first failure
 * and the CLI commands.
 */
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
