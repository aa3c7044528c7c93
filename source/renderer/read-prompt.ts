import {readFileSync} from 'node:fs';
import {wordsOf} from './words-of.ts';

export function readPrompt(file: string, from: number): {readonly text: string} | {readonly refused: string} {
  try {
    const text = readFileSync(file, 'utf8').slice(from);
    return text.trim() === '' ? {refused: `expected a prompt in ${file}, got nothing.`} : {text};
  } catch (error) {
    return {refused: `the prompt ${file} could not be read: ${wordsOf(error)}`};
  }
}
