import {countTokens} from '../count-tokens.ts';

/** The longest beginning of the lines that has at most so many tokens; what is cut is marked. */
export function fitText(lines: readonly string[], mostTokens: number): string {
  const whole = lines.join('\n');
  if (countTokens(whole) <= mostTokens) return whole;
  const characters = Array.from(whole);
  let [least, most] = [0, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (countTokens(`${characters.slice(0, middle).join('')}…`) <= mostTokens) least = middle;
    else most = middle - 1;
  }

  // The count is not quite monotonous: a longer beginning can have fewer tokens.
  for (; least > 0; least -= 1) {
    const text = cutAt(characters, least);
    if (countTokens(text) <= mostTokens) return text;
  }

  return '';
}

/** Ends with a whole line where that loses little. */
function cutAt(characters: readonly string[], length: number): string {
  const text = characters.slice(0, length).join('');
  const newline = text.lastIndexOf('\n');
  return newline > 0 && text.length - newline < 80 ? `${text.slice(0, newline)}\n…` : `${text}…`;
}
