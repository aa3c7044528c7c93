import type {Need} from '../../domain/index.ts';

type Question = Extract<Need, {readonly kind: 'question'}>;

/**
 * The question itself: the last paragraph that ends in `?` or `:`. The pane shows what a program
 * printed before it; what an agent asks through its tools is nowhere else, and stays whole.
 */
export function selectQuestionText({question, asked}: Question): string {
  if (asked !== undefined) return question;
  const paragraphs = question
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return paragraphs.findLast((paragraph) => /[?:]$/.test(paragraph)) ?? question;
}

/** How it is known that the program waits for an answer. */
export function describeAsking({proof, asked, source, options}: Question): string {
  if (asked !== undefined) return 'the agent asks, and waits for your answer';
  if (source === 'agent') return 'the agent says that it waits';
  if (source === 'screen' && options !== undefined)
    return 'a number picks that option in its dialog';
  return proof === 'proven'
    ? 'waiting for input, seen by the kernel'
    : 'seems to wait: silent, and its last line is a question';
}
