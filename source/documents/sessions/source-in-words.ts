import type {AskSource} from '../../domain/index.ts';

/** Who says that an agent waits for a person. */
export function sourceInWords(source: AskSource): string {
  return source === 'agent' ? 'told by the agent' : 'seen on the screen';
}
