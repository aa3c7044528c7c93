const place = /\$(\$?)\{answer\}/g;

/** Whether the last answer is to be put into the text. */
export function hasAnswer(text: string): boolean {
  return [...text.matchAll(place)].some(([, escape]) => escape === '');
}

/** Puts the last answer where `${answer}` stands. `$${answer}` stands for the words themselves. */
export function withAnswer(text: string, answer: string): string {
  return text.replaceAll(place, (_, escape: string) => (escape === '' ? answer : '${answer}'));
}
