import {
  type Cells,
  blankContent,
  clusterFlag,
  createCells,
  widthShift,
  wordsPerCell,
} from './cells.ts';
import {clusterRules} from './cluster-rules.ts';
import {createReader} from './create-reader.ts';
import {type Words, plainWords, wordsAfter} from './words-after.ts';

/**
 * Lines of text with colours and styles as cells, as the emulator would draw them, only sooner: it needs none. What is too large is
 * cut, and what is neither text nor style goes, whoever wrote it.
 */
export function cellsOfText(
  text: string,
  {columns, rows}: {readonly columns: number; readonly rows: number},
): Cells {
  const cells = createCells(columns, rows);
  for (let at = 0; at < cells.words.length; at += wordsPerCell) cells.words[at] = blankContent;
  const pen = createPen(cells);
  const reader = createReader({
    draw: pen.write,
    control: () => '',
    escape: () => '',
    sequence(name, numbers) {
      // What stands before it is written in the style before it.
      if (name === 'm') {
        reader.flush();
        pen.wear(numbers);
      }

      return '';
    },
    string: () => undefined,
  });
  reader.read(text);
  return cells;
}

type Pen = {readonly write: (text: string) => void; readonly wear: (numbers: string) => void};

function createPen(cells: Cells): Pen {
  let row = 0;
  let column = 0;
  let words: Words = plainWords;
  /** What the cluster rules say of the character before. */
  let properties = 0;
  /** Whether that character is to be seen. */
  let isSeen = false;

  const put = (codePoint: number): void => {
    const character = String.fromCodePoint(codePoint);
    const before = properties;
    properties = clusterRules.charProperties(codePoint, before);
    const width = (properties >> 1) & 3;
    if ((properties & 1) !== 0) {
      if (isSeen) isSeen = join(cells, row, column - ((before >> 1) & 3), character, width, words);
      column += width - ((before >> 1) & 3);
      return;
    }

    isSeen = setCell(cells, row, column, codePoint, width, words);
    column += width;
  };

  return {
    wear(numbers) {
      words = wordsAfter(words, numbers);
      // A mark behind it has nothing to sit on.
      properties = 0;
    },
    write(text) {
      for (const character of text) {
        const codePoint = character.codePointAt(0) ?? 0;
        if (codePoint >= 0x20) {
          put(codePoint);
          continue;
        }

        properties = 0;
        if (codePoint === tab) column = (Math.floor(column / tabStop) + 1) * tabStop;
        if (codePoint === lineFeed) [row, column] = [row + 1, 0];
      }
    },
  };
}

const [tab, lineFeed] = [0x09, 0x0a];
const tabStop = 8;

/** A character that is not whole in its row is a blank, and so is a mark with nothing to sit on. Says whether it is to be seen. */
function setCell(
  {columns, rows, words}: Cells,
  row: number,
  column: number,
  codePoint: number,
  width: number,
  style: Words,
): boolean {
  if (row >= rows || column >= columns) return false;
  const index = row * columns + column;
  const isWhole = column + width <= columns && !isMark(codePoint);
  setWords(words, index, isWhole ? codePoint | (width << widthShift) : blankContent, style);
  if (isWhole && width === 2) setWords(words, index + 1, 0, style);
  return isWhole;
}

/** Adds a character to what a cell holds, which may become wider by that. */
function join(
  {columns, words, clusters}: Cells,
  row: number,
  column: number,
  character: string,
  width: number,
  style: Words,
): boolean {
  const index = row * columns + column;
  const content = words[index * wordsPerCell] ?? blankContent;
  if (column + width > columns) {
    setWords(words, index, blankContent, style);
    clusters.delete(index);
    return false;
  }

  const text =
    (content & clusterFlag) === 0
      ? String.fromCodePoint(content & 0x1f_ffff)
      : (clusters.get(index) ?? '');
  clusters.set(index, text + character);
  words[index * wordsPerCell] = clusterFlag | (width << widthShift);
  if (width === 2) setWords(words, index + 1, 0, style);
  return true;
}

function setWords(
  words: Uint32Array,
  index: number,
  content: number,
  {foreground, background}: Words,
): void {
  words[index * wordsPerCell] = content;
  words[index * wordsPerCell + 1] = foreground;
  words[index * wordsPerCell + 2] = background;
}

function isMark(codePoint: number): boolean {
  return codePoint >= 0x300 && clusterRules.wcwidth(codePoint) === 0;
}
