import {sanitizeText} from '../../base/index.ts';
import {maxNoteLength, maxNotes, type RepositoryNote, type Run} from '../../domain/index.ts';
import {wrapSentence} from './wrap-text.ts';

/** What the person should know of the repository that a run stands on, each as one line on which nothing acts. */
export function repositoryNotesOf({stage}: Pick<Run, 'stage'>): readonly string[] {
  return 'ground' in stage ? notesInWords(stage.ground.notes ?? []) : [];
}

/** Whoever wrote the journal: a bounded number of lines of a bounded length. */
export function notesInWords(notes: readonly RepositoryNote[]): readonly string[] {
  return notes
    .slice(0, maxNotes)
    .map(({words}) => sanitizeText(words.slice(0, maxNoteLength).replaceAll(/\s+/g, ' ').trim()));
}

/** As rows below a heading; nothing where there is nothing to say. */
export function formatRepositoryNotes(notes: readonly string[], width: number): string[] {
  if (notes.length === 0) return [];
  return [
    'About the repository, when the run began:',
    ...notes.flatMap((words) =>
      wrapSentence(words, width - 4).map(
        (line, index) => `${index === 0 ? '  ! ' : '    '}${line}`,
      ),
    ),
  ];
}
