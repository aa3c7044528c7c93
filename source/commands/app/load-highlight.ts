import {createHighlight, type Highlight} from '../../tui/index.ts';

/** In a file of its own, which is loaded when the app stands: the languages cost more than the rest of it. */
export function loadHighlight(): Highlight {
  return createHighlight();
}
