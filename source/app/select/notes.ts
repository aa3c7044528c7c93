import type {Recalled} from '../../knowledge/index.ts';
import type {Model} from '../model/model.ts';

/** The notes that the last search found. */
export function selectNotes({answers: {recall}}: Pick<Model, 'answers'>): readonly Recalled[] {
  return recall !== undefined && 'value' in recall ? recall.value : [];
}

/** The note under the cursor. */
export function selectNote(model: Pick<Model, 'answers' | 'places'>): Recalled | undefined {
  const notes = selectNotes(model);
  return notes[Math.max(0, Math.min(notes.length - 1, model.places.knowledge.cursor))];
}

/** Whether one note fills the screen. */
export function isReadingNote(
  model: Pick<Model, 'answers' | 'places' | 'reviewFocus' | 'screen'>,
): boolean {
  return (
    model.screen === 'knowledge' && model.reviewFocus === 'diff' && selectNote(model) !== undefined
  );
}
