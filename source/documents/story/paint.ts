/** What a text is for; colour only underlines what the words say. */
export type Tone = 'title' | 'needs' | 'bad' | 'good' | 'quiet';

export type Paint = (text: string, tone: Tone) => string;

export function createPaint(color: boolean | undefined): Paint {
  if (color !== true) return (text) => text;
  return (text, tone) => `\u001B[${codes[tone]}m${text}\u001B[0m`;
}

const codes: Readonly<Record<Tone, number>> = {title: 1, needs: 33, bad: 31, good: 32, quiet: 2};
