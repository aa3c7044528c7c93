import type {Usage} from '../domain/index.ts';
import type {LoopKind, LoopSign} from './loops/fold-loops.ts';
import type {Activity, ActivityRetry} from './stream/fold-activity.ts';
import {type Fields, fieldsOf, listOf, textOf} from './stream/fields.ts';

/** It lies beside the outcome. Our own renderer writes it; an agent that a project declares may, too. */
export const activityFileName = 'activity.json';

/** Who reads the file need not read more. */
export const maxActivityBytes = 64 * 1024;

/** Reads `{"usage": {"input": 1000, "output": 200}}` and what else an activity has. A field that is not of the right shape is left out. */
export function readActivityFile(text: string): Activity | undefined {
  if (text.length > maxActivityBytes) return undefined;
  let file: Fields;
  try {
    file = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }

  const [usage, retry, running] = [
    usageOf(fieldsOf(file['usage'])),
    retryOf(fieldsOf(file['retry'])),
    file['running'],
  ];
  return {
    progress: isAmount(file['progress']) ? file['progress'] : 0,
    ...(usage !== undefined && {usage}),
    ...(retry !== undefined && {retry}),
    ...(isAmount(running) && {running}),
    loops: listOf(file['loops'])
      .slice(0, 8)
      .flatMap((one) => signOf(fieldsOf(one)) ?? []),
  };
}

const kinds: readonly LoopKind[] = ['same-calls', 'same-failures', 'undone-edits'];

function signOf({kind, key, what, times, weight, since}: Fields): LoopSign | undefined {
  const known = kinds.find((one) => one === kind);
  if (known === undefined || textOf(key) === '' || !isAmount(times) || !isAmount(since))
    return undefined;
  return {
    kind: known,
    key: textOf(key).slice(0, 300),
    what: textOf(what).slice(0, 200),
    times,
    weight: isAmount(weight) && weight >= 1 ? weight : 1,
    since,
  };
}

function usageOf({input, output, cost}: Fields): Usage | undefined {
  return isAmount(input) && isAmount(output)
    ? {input, output, ...(isAmount(cost) && {cost})}
    : undefined;
}

function retryOf({since, times, said, status}: Fields): ActivityRetry | undefined {
  if (!isAmount(since) || !isAmount(times) || times < 1) return undefined;
  return {
    since,
    times,
    said: textOf(said).slice(0, 500),
    ...(isAmount(status) && status >= 100 && status < 1000 && {status}),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e15;
}
