import {type Line, columnAfter} from './line.ts';

export type ItemMarkers = {
  /** For each marker at the start of the line (`- 1. x` has two) the column where its item's text begins. */
  readonly columns: readonly number[];
  readonly text: string;
};

export function readItemMarkers({content, indent}: Line): ItemMarkers {
  const marker = /(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/y;
  const columns: number[] = [];
  let column = indent;
  let at = 0;
  for (let match = marker.exec(content); match !== null; match = marker.exec(content)) {
    at = marker.lastIndex;
    const spaces = match[0].trimEnd().length;
    // An item whose text is far to the right, or on the next line, still takes what is indented by one column more than its marker.
    const textColumn = columnsOf(match[0], column);
    const leastColumn = column + spaces + 1;
    columns.push(at === content.length || textColumn > leastColumn + 3 ? leastColumn : textColumn);
    column = textColumn;
  }

  return {columns, text: content.slice(at)};
}

function columnsOf(text: string, from: number): number {
  let column = from;
  for (const character of text) column = columnAfter(column, character);
  return column;
}
