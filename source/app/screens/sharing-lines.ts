import {sharingLine} from '../../reports/index.ts';
import {button, type Line, paragraph, safeLine, span} from '../model/line.ts';
import {keyFor} from '../keymap/key-for.ts';
import {selectMissingDependencies} from '../model/answers.ts';
import type {Model} from '../model/model.ts';

/** Dependencies that tasks would not get, with the key that shares them. */
export function sharingLines(model: Model, screen: 'start' | 'plan', width: number): Line[] {
  const [first, ...others] = selectMissingDependencies(model);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [
    ...paragraph(`Tasks will not have ${safeLine(sharingLine(first))}${more}`, width, {
      first: '  ! ',
      indent: 4,
      tone: 'needs',
    }).slice(0, 2),
    button(
      'share-dependencies',
      span(`    ${keyFor(model, 'share-dependencies', screen)}`, 'accent'),
      span(' gives each its own; written into .orchestra/project.yaml', 'quiet'),
    ),
  ];
}
