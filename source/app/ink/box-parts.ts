import cliBoxes from 'cli-boxes';
import chalk from 'chalk';
import type {DOMElement} from 'ink';
import {type Block, toBlock} from './text-block.ts';

type BoxStyle = DOMElement['style'];

/** A piece of a box's border or background, relative to the box. */
export type BoxPart = {readonly block: Block; readonly x: number; readonly y: number};

/** The background and the border of a box, as Ink draws them. */
export function toBoxParts(style: BoxStyle, columns: number, rows: number): BoxPart[] {
  const edges = toEdges(style);
  return [
    ...backgroundParts(style, columns, rows, edges),
    ...(hasBorder(style) ? borderParts(style, columns, rows, edges) : []),
  ];
}

/** The background of a box that covers what is below it, in the colour of the terminal. */
export const opaque = 'default';

export function hasParts(style: BoxStyle): boolean {
  return hasBorder(style) || isSet(style.backgroundColor);
}

/** Whether two styles have the same border and background. */
export function isSameBox(one: BoxStyle, other: BoxStyle): boolean {
  return one === other || boxKeys.every((key) => one[key] === other[key]);
}

const boxKeys = [
  'backgroundColor',
  'borderStyle',
  'borderTop',
  'borderBottom',
  'borderLeft',
  'borderRight',
  'borderColor',
  'borderTopColor',
  'borderBottomColor',
  'borderLeftColor',
  'borderRightColor',
  'borderBackgroundColor',
  'borderTopBackgroundColor',
  'borderBottomBackgroundColor',
  'borderLeftBackgroundColor',
  'borderRightBackgroundColor',
  'borderDimColor',
  'borderTopDimColor',
  'borderBottomDimColor',
  'borderLeftDimColor',
  'borderRightDimColor',
] as const;

type Edges = {
  readonly top: 0 | 1;
  readonly bottom: 0 | 1;
  readonly left: 0 | 1;
  readonly right: 0 | 1;
};

/** How many cells the border takes on each side. */
export function toEdges(style: BoxStyle): Edges {
  const edge = (isShown: boolean | undefined): 0 | 1 =>
    hasBorder(style) && isShown !== false ? 1 : 0;
  return {
    top: edge(style.borderTop),
    bottom: edge(style.borderBottom),
    left: edge(style.borderLeft),
    right: edge(style.borderRight),
  };
}

function hasBorder({borderStyle}: BoxStyle): boolean {
  return borderStyle !== undefined && borderStyle !== ('' as never);
}

function isSet(colour: string | undefined): colour is string {
  return colour !== undefined && colour !== '';
}

function backgroundParts(
  {backgroundColor}: BoxStyle,
  columns: number,
  rows: number,
  {top, bottom, left, right}: Edges,
): BoxPart[] {
  const width = columns - left - right;
  const height = rows - top - bottom;
  if (!isSet(backgroundColor) || width <= 0 || height <= 0) return [];
  const line = paint(' '.repeat(width), undefined, backgroundColor);
  const block = toBlock(Array.from({length: height}, () => line).join('\n'));
  return [{x: left, y: top, block}];
}

function borderParts(style: BoxStyle, columns: number, rows: number, edges: Edges): BoxPart[] {
  const {top, bottom, left, right} = edges;
  const {borderStyle} = style;
  const box = typeof borderStyle === 'object' ? borderStyle : cliBoxes[borderStyle ?? 'single'];
  const width = Math.max(0, columns - left - right);
  const height = rows - top - bottom;
  const parts: BoxPart[] = [];
  const add = (side: Side, x: number, y: number, text: string, lines = 1): void => {
    const line = paintSide(style, side, text);
    const block = toBlock(Array.from({length: lines}, () => line).join('\n'));
    if (text !== '') parts.push({x, y, block});
  };

  const row = (first: string, middle: string, last: string): string =>
    (left === 1 ? first : '') + middle.repeat(width) + (right === 1 ? last : '');
  if (top === 1) add('Top', 0, 0, row(box.topLeft, box.top, box.topRight));
  if (left === 1 && height > 0) add('Left', 0, top, box.left, height);
  if (right === 1 && height > 0) add('Right', columns - 1, top, box.right, height);
  if (bottom === 1) add('Bottom', 0, rows - 1, row(box.bottomLeft, box.bottom, box.bottomRight));
  return parts;
}

type Side = 'Top' | 'Bottom' | 'Left' | 'Right';

function paintSide(style: BoxStyle, side: Side, text: string): string {
  const painted = paint(
    text,
    style[`border${side}Color`] ?? style.borderColor,
    style[`border${side}BackgroundColor`] ?? style.borderBackgroundColor,
  );
  return (style[`border${side}DimColor`] ?? style.borderDimColor) === true
    ? chalk.dim(painted)
    : painted;
}

/** Colours as Ink's components take them: names, `#rrggbb`, `rgb(…)`, `ansi256(…)`. */
function paint(text: string, colour: string | undefined, background: string | undefined): string {
  return applyColour(applyColour(text, colour, false), background, true);
}

function applyColour(text: string, colour: string | undefined, isBackground: boolean): string {
  if (!isSet(colour)) return text;
  if (colour.startsWith('#'))
    return isBackground ? chalk.bgHex(colour)(text) : chalk.hex(colour)(text);
  const number = /^ansi256\(\s?(\d+)\s?\)$/.exec(colour)?.[1];
  if (number !== undefined)
    return isBackground
      ? chalk.bgAnsi256(Number(number))(text)
      : chalk.ansi256(Number(number))(text);
  const [, red, green, blue] = /^rgb\(\s?(\d+),\s?(\d+),\s?(\d+)\s?\)$/.exec(colour) ?? [];
  if (red !== undefined) {
    const parts = [Number(red), Number(green), Number(blue)] as const;
    return isBackground ? chalk.bgRgb(...parts)(text) : chalk.rgb(...parts)(text);
  }

  const name = isBackground ? `bg${colour[0]?.toUpperCase() ?? ''}${colour.slice(1)}` : colour;
  const named = (chalk as unknown as Record<string, ((text: string) => string) | undefined>)[name];
  return named === undefined ? text : named(text);
}
