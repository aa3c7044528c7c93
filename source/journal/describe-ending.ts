import type {Ending} from './read-records.ts';

/** One sentence for a person; nothing about a clean end. */
export function describeEnding(ending: Ending): string | undefined {
  if (ending.kind === 'clean') return undefined;
  const where = `line ${ending.line}, byte ${ending.offset}`;
  switch (ending.kind) {
    case 'torn': {
      const doubt = ending.perhapsAcknowledged
        ? ' It ends in a newline, so it may have been acknowledged: compare what it says with the world.'
        : '';
      return `The last write was cut off at ${where}: ${ending.wrong} (${ending.bytes} bytes).${doubt}`;
    }

    case 'damaged': {
      return `The journal is damaged at ${where}: ${ending.wrong}. Everything before it is sound; restore the file from a backup, or cut it there by hand.`;
    }

    case 'newer-version': {
      return `The journal was written by a newer orchestra: record ${ending.line} (byte ${ending.offset}) has format version ${ending.version}. Use that version.`;
    }

    case 'unknown-type': {
      return `The journal was written by a newer orchestra: record ${ending.line} (byte ${ending.offset}) has the unknown type ${JSON.stringify(ending.type)}. Use that version.`;
    }
  }
}
