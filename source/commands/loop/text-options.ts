import type {TextOptions} from '../../documents/index.ts';
import type {Surroundings} from '../surroundings.ts';

/** How wide text may be, and whether it may have colours: only for somebody who looks at it. */
export function textOptionsOf({
  columns,
  isTerminal,
  env,
}: Pick<Surroundings, 'columns' | 'isTerminal' | 'env'>): TextOptions {
  const isPlain = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return {
    width: Math.max(40, Math.min(columns ?? 80, 120)),
    color: isTerminal && !isPlain && env['TERM'] !== 'dumb',
  };
}
