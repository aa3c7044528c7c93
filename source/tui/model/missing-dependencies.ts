import {unshared, type SharingDirectory} from '../../documents/index.ts';
import type {Model} from './model.ts';

/** Dependencies of the checkout that tasks would not have, as far as is known. */
export function missingDependencies({
  answers: {sharing},
}: Pick<Model, 'answers'>): readonly SharingDirectory[] {
  return sharing === undefined ? [] : unshared(sharing);
}
