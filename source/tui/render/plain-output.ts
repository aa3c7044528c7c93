/** Where Ink puts the texts of a frame before it is one text: as much of its `Output` as its renderer uses. */
export type InkOutput = {
  readonly write: (
    x: number,
    y: number,
    text: string,
    options: {readonly transformers: readonly ((line: string, index: number) => string)[]},
  ) => void;
  readonly clip: (clip: object) => void;
  readonly unclip: () => void;
  readonly get: () => {readonly output: string; readonly height: number};
};

export type InkOutputClass = new (size: {
  readonly width: number;
  readonly height: number;
}) => InkOutput;

/**
 * Ink makes an object of each cell and reads each text four times over, so that texts may overlap and be cut.
 * Ours stand in rows of their own, in most frames one text alone, and are read into cells anyway, which cuts them: then a frame is
 * the rows as they were written. All else is left to Ink.
 */
export function plainOutput(Whole: InkOutputClass): InkOutputClass {
  return function Output({
    width,
    height,
  }: {
    readonly width: number;
    readonly height: number;
  }): InkOutput {
    const rows = new Map<number, string>();
    const calls: ((whole: InkOutput) => void)[] = [];
    let isPlain = true;
    const remember = (call: (whole: InkOutput) => void): void => void calls.push(call);
    return {
      write(x, y, text, options) {
        remember((whole) => {
          whole.write(x, y, text, options);
        });
        const lines = text === '' ? [] : text.split('\n');
        isPlain &&= x === 0 && y >= 0 && !lines.some((_, index) => rows.has(y + index));
        for (const [index, line] of lines.entries())
          rows.set(
            y + index,
            options.transformers.reduce((changed, transform) => transform(changed, index), line),
          );
      },
      clip(clip) {
        isPlain = false;
        remember((whole) => {
          whole.clip(clip);
        });
      },
      unclip() {
        remember((whole) => {
          whole.unclip();
        });
      },
      get() {
        if (isPlain)
          return {
            output: Array.from({length: height}, (_, row) => rows.get(row) ?? '').join('\n'),
            height,
          };
        const whole = new Whole({width, height});
        for (const call of calls) call(whole);
        return whole.get();
      },
    };
  } as unknown as InkOutputClass;
}
