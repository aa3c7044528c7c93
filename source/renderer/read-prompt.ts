import {readRegularFile} from '../files/index.ts';

const mostBytes = 16 * 1024 * 1024;

export function readPrompt(
  file: string,
  from: number,
): {readonly text: string} | {readonly refused: string} {
  const reading = readRegularFile(file, {maxBytes: mostBytes});
  if (reading.at === 'refused')
    return {refused: `the prompt ${file} could not be read: it ${reading.message}`};
  const text = reading.bytes.toString('utf8').slice(from);
  return text.trim() === '' ? {refused: `expected a prompt in ${file}, got nothing.`} : {text};
}
