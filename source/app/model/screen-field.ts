import type {Model, OpenField} from './model.ts';

/**
 * The field that its screen shows where the words will be; the last row then has only its keys.
 * Other fields are written in the last row.
 */
export function selectScreenField({screen, field}: Model): OpenField | undefined {
  return screen === 'needs' && field?.for.what !== 'palette' ? field : undefined;
}
