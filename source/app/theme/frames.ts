/** The lines of a frame, in the form that Ink's `borderStyle` takes. */
export type FrameLines = {
  readonly topLeft: string;
  readonly top: string;
  readonly topRight: string;
  readonly left: string;
  readonly right: string;
  readonly bottomLeft: string;
  readonly bottom: string;
  readonly bottomRight: string;
};

export const roundedFrame = toFrame('╭─╮│╰╯');
/** Around the pane that is typed into; with few colours also around the focus. */
export const heavyFrame = toFrame('┏━┓┃┗┛');
export const asciiFrame = toFrame('+-+|++');
/** ASCII has no heavy line: a frame of other characters stands for it. */
export const heavyAsciiFrame = toFrame('#=#|##');

/** Corner, line, corner, wall, and the two corners below. */
function toFrame(signs: string): FrameLines {
  const [topLeft = '', top = '', topRight = '', left = '', bottomLeft = '', bottomRight = ''] =
    signs;
  return {topLeft, top, topRight, left, right: left, bottomLeft, bottom: top, bottomRight};
}
