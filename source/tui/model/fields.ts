import type {FieldPurpose, Model} from './model.ts';
import {emptyField, type TextField} from './text-field.ts';

/** Opens a line to write; what was begun in another one is given up. */
export function openField(
  model: Model,
  purpose: FieldPurpose,
  label: string,
  text: TextField = emptyField,
): Model {
  return {...model, field: {...text, for: purpose, label}};
}

export function withText(model: Model, text: TextField): Model {
  return model.field === undefined ? model : {...model, field: {...model.field, ...text}};
}
