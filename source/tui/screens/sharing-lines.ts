import {sharingLine} from '../../documents/index.ts';
import {safeLine} from '../model/cell-text.ts';
import {keyFor} from '../model/key-for.ts';
import {button, span, type Line} from '../model/line.ts';
import {missingDependencies} from '../model/missing-dependencies.ts';
import type {Model} from '../model/model.ts';
import {paragraph} from './words.ts';

/** Dependencies that tasks would not have, with the key that gives them. */
export function sharingLines(model: Model, screen: 'start' | 'plan', width: number): Line[] {
  const [first, ...others] = missingDependencies(model);
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
