/**
 * In place of `Intl.Segmenter` in the app's bundle. Five packages make one when they are loaded, and
 * the first of a process takes 12 ms; most visits never segment a text.
 */
export function LazySegmenter(
  ...given: ConstructorParameters<typeof Intl.Segmenter>
): Pick<Intl.Segmenter, 'segment'> {
  let segmenter: Intl.Segmenter | undefined;
  return {
    segment: (text) => (segmenter ??= new globalThis.Intl.Segmenter(...given)).segment(text),
  };
}
