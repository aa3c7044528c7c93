/**
 * In place of the package `string-width` in the app's bundle: our width agrees with the emulator,
 * and needs neither a table of all emoji (58 ms) nor a segmenter (20 ms).
 */
export {textWidth as default} from '../../source/terminal/text-width.ts';
