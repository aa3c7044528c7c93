import {readRegularFile} from '../files/index.ts';

/** More than its reader takes, so that it is the reader who says what is too long. */
const maxBytes = 16 * 1024 * 1024;

/** The bytes of the playbook. A person named it, so it may be a link. */
export function readPlaybookFile(
  file: string,
): {readonly bytes: Uint8Array} | {readonly refused: string} {
  const reading = readRegularFile(file, {maxBytes, links: 'follow'});
  if (reading.at === 'read') return {bytes: reading.bytes};
  return {refused: `Expected a playbook in ${file}, but it ${reading.message}.`};
}
