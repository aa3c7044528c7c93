import type {DOMElement} from 'ink';
import type {SessionId} from '../../domain/index.ts';
import type {Cells} from '../../terminal/index.ts';
import {createBlank, fillBlank, type Rect, type Size, unitsPerCell} from '../render/frame.ts';
import {type BoxPart, hasParts, isSameBox, opaque, toBoxParts, toEdges} from './box-parts.ts';
import type {Region, Regions, Viewport} from './region.ts';
import {type Anchor, followCursor, type ItemPlace, toAnchor} from './scroll-offset.ts';
import {
  type Clip,
  pressRow,
  type Stamp,
  stampBlock,
  stampEffect,
  type StampHolder,
} from './stamp.ts';
import {type Block, toBlock} from './text-block.ts';
import {collectParts, hasSameParts, toFittedText} from './text-content.ts';

/** A region with its place on the screen, in the order of the tree: later ones are above. */
export type Place = {readonly region: Region; readonly rect: Rect};

export type Painted = {
  readonly cells: Cells;
  /** The rows that differ from the last frame. */
  readonly rows: ReadonlySet<number>;
  readonly places: readonly Place[];
  readonly viewports: Readonly<Record<string, Viewport>>;
};

export type TreePainter = {
  readonly paint: (root: DOMElement, size: Size) => Painted;
  /** Paints rows again whose panes have changed, with what is above them. */
  readonly repaint: (rows: Iterable<number>) => void;
};

export type TreePainterOptions = {
  readonly regions: Regions;
  readonly cellsOf: (session: SessionId) => Cells | undefined;
  /** Draws neither borders nor backgrounds. @default false */
  readonly isPlain?: boolean;
};

/**
 * Draws Ink's tree into cells: the same tree, layout and wrapping as Ink's own renderer, without a
 * string in between. A text is read once for as long as it stays the same; a frame costs the rows
 * that changed. It uses only exported types of Ink (`DOMElement`).
 */
export function createTreePainter({
  regions,
  cellsOf,
  isPlain = false,
}: TreePainterOptions): TreePainter {
  const nodes = new WeakMap<DOMElement, DrawnNode>();
  const anchors = new Map<string, Anchor>();
  let screen: Cells | undefined;
  let stamps: readonly Stamp[] = [];
  let next: Stamp[] = [];
  let places: Place[] = [];
  let viewports: Record<string, Viewport> = {};
  let frame = 0;

  const drawnOf = (node: DOMElement): DrawnNode => {
    const known = nodes.get(node);
    if (known !== undefined) return known;
    const drawn: DrawnNode = {isUnseen: false};
    nodes.set(node, drawn);
    return drawn;
  };

  /** Yoga says of each box whether it was laid out again. Below one that was not, none was. */
  const layoutOf = (
    {yogaNode}: DOMElement,
    drawn: DrawnNode,
    isFresh: boolean,
  ): Layout | undefined => {
    if (yogaNode === undefined) return undefined;
    const known = drawn.layout;
    if (known?.frame === frame || (known !== undefined && !(isFresh && yogaNode.hasNewLayout())))
      return known;
    yogaNode.markLayoutSeen();
    const display: number = yogaNode.getDisplay();
    const layout: Layout = {
      x: yogaNode.getComputedLeft(),
      y: yogaNode.getComputedTop(),
      columns: yogaNode.getComputedWidth(),
      rows: yogaNode.getComputedHeight(),
      isHidden: display === displayNone,
      frame,
    };
    drawn.layout = layout;
    return layout;
  };

  const visit = (node: DOMElement, x0: number, y0: number, clip: Clip, isFresh: boolean): void => {
    const drawn = drawnOf(node);
    const layout = layoutOf(node, drawn, isFresh);
    if (layout === undefined || layout.isHidden) return;
    const rect = {
      column: x0 + layout.x,
      row: y0 + layout.y,
      columns: layout.columns,
      rows: layout.rows,
    };
    if (node.nodeName === 'ink-text') {
      const text = drawText(node, drawn, layout.columns);
      if (text.block !== undefined)
        next.push(stampBlock(text, text.block, rect.column, rect.row, clip));
      return;
    }

    const region = regions.get(node);
    // Most rows of a long list are out of view. What they hold is laid out, and waits to be seen.
    if (region?.kind === 'item' && (rect.row >= clip.bottom || rect.row + rect.rows <= clip.top)) {
      drawn.isUnseen = true;
      return;
    }

    const isLaidOut = layout.frame === frame || drawn.isUnseen;
    drawn.isUnseen = false;
    if (region?.kind === 'cover') drawEffect(drawn, region, rect, clip);
    if (isPlain ? node.style.backgroundColor === opaque : hasParts(node.style))
      drawBox(node, drawn, rect, clip);
    if (region !== undefined) {
      places.push({region, rect: clipRect(rect, clip)});
      if (region.kind === 'pane') {
        const cells = cellsOf(region.session);
        // The children of a pane stand in for it while it has nothing to show.
        if (cells !== undefined) {
          drawPane(drawn, cells, rect, clip);
          return;
        }
      }
    }

    const inner = innerClip(node.style, rect, clip);
    const offset = region?.kind === 'scroll' ? scroll(node, region, rect, isLaidOut) : 0;
    for (const child of node.childNodes)
      if (child.nodeName !== '#text')
        visit(
          child,
          rect.column - toOffset(node.style.contentOffsetX),
          rect.row - toOffset(node.style.contentOffsetY) - offset,
          inner,
          isLaidOut,
        );
    if (region?.kind === 'inverse' || region?.kind === 'veil')
      drawEffect(drawn, region, rect, clip);
  };

  const drawText = (node: DOMElement, drawnNode: DrawnNode, columns: number): DrawnText => {
    const known = drawnNode.text;
    const wrap = node.style.textWrap;
    if (known?.columns === columns && known.wrap === wrap && hasSameParts(node, known.parts))
      return known;
    const parts = collectParts(node);
    const text = toFittedText(node, columns);
    // A text that looks the same keeps its cells, whatever rendered it again.
    const block = known?.text === text ? known.block : toOptionalBlock(text);
    const drawn: DrawnText = {columns, wrap, parts, text, block};
    if (known?.stamp !== undefined) drawn.stamp = known.stamp;
    drawnNode.text = drawn;
    return drawn;
  };

  const drawBox = (
    node: DOMElement,
    drawnNode: DrawnNode,
    {column, row, columns, rows}: Rect,
    clip: Clip,
  ): void => {
    const known = drawnNode.box;
    const isSame =
      known?.columns === columns && known.rows === rows && isSameBox(known.style, node.style);
    const drawn: DrawnBox = isSame
      ? known
      : {columns, rows, style: node.style, parts: toBoxParts(node.style, columns, rows)};
    drawnNode.box = drawn;
    for (const part of drawn.parts)
      next.push(stampBlock(part, part.block, column + part.x, row + part.y, clip));
  };

  const drawPane = (drawnNode: DrawnNode, cells: Cells, rect: Rect, clip: Clip): void => {
    const known = drawnNode.pane;
    const drawn =
      known?.block.cells === cells
        ? known
        : {block: {cells, widths: Array.from({length: cells.rows}, () => cells.columns)}};
    drawnNode.pane = drawn;
    const inside = {
      ...clip,
      right: Math.min(clip.right, rect.column + rect.columns),
      bottom: Math.min(clip.bottom, rect.row + rect.rows),
    };
    next.push(stampBlock(drawn, drawn.block, rect.column, rect.row, inside));
  };

  const drawEffect = (
    drawnNode: DrawnNode,
    region: Extract<Region, {kind: 'cover' | 'inverse' | 'veil'}>,
    rect: Rect,
    clip: Clip,
  ): void => {
    const holder = (drawnNode.effect ??= {});
    const {columns, rows} = rect;
    const content =
      region.kind === 'veil'
        ? {type: region.kind, columns, rows, colour: region.colour}
        : {type: region.kind, columns, rows};
    next.push(stampEffect(holder, content, rect, clip));
  };

  /** How far the content of a viewport is moved up. */
  const scroll = (
    node: DOMElement,
    {list, top}: Extract<Region, {kind: 'scroll'}>,
    {rows: height}: Rect,
    isFresh: boolean,
  ): number => {
    const edges = toEdges(node.style);
    const rows = height - edges.top - edges.bottom;
    let content = 0;
    const items: ItemPlace[] = [];
    for (const child of node.childNodes) {
      const layout =
        child.nodeName === '#text' ? undefined : layoutOf(child, drawnOf(child), isFresh);
      if (layout === undefined || child.nodeName === '#text') continue;
      content = Math.max(content, layout.y - edges.top + layout.rows);
      const region = regions.get(child);
      if (region?.kind === 'item')
        items.push({
          id: region.id,
          y: layout.y - edges.top,
          rows: layout.rows,
          isCursor: region.isCursor,
        });
    }

    const offset =
      top === undefined
        ? followCursor(items, {rows, content}, anchors.get(list))
        : Math.max(0, Math.min(top, content - rows));
    const anchor = toAnchor(items, offset);
    if (anchor === undefined) anchors.delete(list);
    else anchors.set(list, anchor);
    const inView = items.filter(({y, rows: own}) => y + own > offset && y < offset + rows).length;
    viewports[list] = {rows, content, top: offset, items: inView};
    return offset;
  };

  const repaint = (rows: Iterable<number>): void => {
    if (screen === undefined) return;
    for (const row of rows) {
      const start = row * screen.columns;
      const end = start + screen.columns;
      fillBlank(screen.words.subarray(start * unitsPerCell, end * unitsPerCell));
      if (screen.clusters.size > 0)
        for (let index = start; index < end; index++) screen.clusters.delete(index);
      for (const stamp of stamps)
        if (row >= stamp.top && row < stamp.end) pressRow(screen, stamp, row);
    }
  };

  return {
    paint(root, size) {
      const isNew = screen?.columns !== size.columns || screen.rows !== size.rows;
      if (screen === undefined || isNew) screen = createBlank(size);
      next = [];
      places = [];
      viewports = {};
      frame++;
      visit(root, 0, 0, {left: 0, top: 0, right: size.columns, bottom: size.rows}, true);
      const rows = isNew ? allRows(size) : changedRows(stamps, next, size);
      stamps = next;
      repaint(rows);
      return {cells: screen, rows, places, viewports};
    },
    repaint,
  };
}

type Layout = {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
  readonly isHidden: boolean;
  /** The number of the frame in which it was laid out. */
  readonly frame: number;
};
type DrawnText = StampHolder & {
  readonly columns: number;
  readonly wrap: string | undefined;
  readonly parts: readonly unknown[];
  readonly text: string;
  readonly block: Block | undefined;
};
type DrawnBox = {
  readonly columns: number;
  readonly rows: number;
  readonly style: DOMElement['style'];
  readonly parts: readonly (BoxPart & StampHolder)[];
};
type DrawnPane = StampHolder & {readonly block: Block};
/** What is known of a node from the frames before. */
type DrawnNode = {
  layout?: Layout;
  text?: DrawnText;
  box?: DrawnBox;
  pane?: DrawnPane;
  effect?: StampHolder;
  /** It was out of view: what is in it may have been laid out since. */
  isUnseen: boolean;
};

/** Yoga's `DISPLAY_NONE`. */
const displayNone = 1;

function toOptionalBlock(text: string): Block | undefined {
  return text === '' ? undefined : toBlock(text);
}

function toOffset(value: number | undefined): number {
  return value === undefined || !Number.isFinite(value) ? 0 : Math.trunc(value);
}

function innerClip(style: DOMElement['style'], rect: Rect, clip: Clip): Clip {
  const isX = (style.overflowX ?? style.overflow) === 'hidden';
  const isY = (style.overflowY ?? style.overflow) === 'hidden';
  if (!isX && !isY) return clip;
  const edges = toEdges(style);
  return {
    left: isX ? Math.max(clip.left, rect.column + edges.left) : clip.left,
    right: isX ? Math.min(clip.right, rect.column + rect.columns - edges.right) : clip.right,
    top: isY ? Math.max(clip.top, rect.row + edges.top) : clip.top,
    bottom: isY ? Math.min(clip.bottom, rect.row + rect.rows - edges.bottom) : clip.bottom,
  };
}

function clipRect({column, row, columns, rows}: Rect, clip: Clip): Rect {
  const [left, top] = [Math.max(column, clip.left), Math.max(row, clip.top)];
  return {
    column: left,
    row: top,
    columns: Math.max(0, Math.min(column + columns, clip.right) - left),
    rows: Math.max(0, Math.min(row + rows, clip.bottom) - top),
  };
}

function allRows({rows}: Size): Set<number> {
  return new Set(Array.from({length: rows}, (_, row) => row));
}

/** The rows of stamps that are only in one of the two frames, or in another order. */
function changedRows(before: readonly Stamp[], after: readonly Stamp[], {rows}: Size): Set<number> {
  let first = 0;
  while (first < before.length && before[first] === after[first]) first++;
  let back = 0;
  const shorter = Math.min(before.length, after.length) - first;
  while (back < shorter && before.at(-1 - back) === after.at(-1 - back)) back++;
  const removed = new Set(before.slice(first, before.length - back));
  const added = new Set(after.slice(first, after.length - back));
  const changed = new Set<number>();
  const touch = (stamp: Stamp): void => {
    for (let row = stamp.top; row < Math.min(rows, stamp.end); row++) changed.add(row);
  };

  for (const stamp of removed) if (!added.has(stamp)) touch(stamp);
  for (const stamp of added) if (!removed.has(stamp)) touch(stamp);
  return changed;
}
