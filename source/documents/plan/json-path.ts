import {excerpt} from '../excerpt.ts';

/** `tasks[2].files[0]`: where a value is in a JSON document. */
export function jsonPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(jsonPathInto, '');
}

/** The path of a member. A long key is cut, so that a path stays something to read. */
export function jsonPathInto(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[A-Za-z_$][\w$]{0,39}$/.test(step)) return `${path}["${excerpt(step, 40)}"]`;
  return path === '' ? step : `${path}.${step}`;
}
