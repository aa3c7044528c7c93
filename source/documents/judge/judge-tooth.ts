import type {ChangedFile, Rule, RuleVerdict, Tooth} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {pathMatcher} from '../path-matcher.ts';
import {redact} from '../secrets/redact.ts';
import {type AddedLine, findForbidden} from './find-forbidden.ts';
import {matchable} from './matchable.ts';
import {shownPath, shownPaths} from './shown-path.ts';

/** What running the command of a `require:` on the change showed. */
export type RequiredResult = {
  /** The number of the rule. */
  readonly rule: string;
  /** Null when it did not come to an end by itself. */
  readonly exit: number | null;
  /** The first thing that went wrong, in its own words. */
  readonly words: string;
};

export type UnreadFile = {readonly path: string; readonly why: string};

export type Evidence = {
  readonly files: readonly ChangedFile[];
  readonly addedLines: readonly AddedLine[];
  readonly unread: readonly UnreadFile[];
  readonly required: readonly RequiredResult[];
  readonly secrets: readonly string[];
};

type Finding = Pick<RuleVerdict, 'verdict' | 'detail'>;

/** Whether the change keeps one rule. */
export function judgeTooth({number, tooth}: Rule, evidence: Evidence): Finding {
  if (tooth === undefined) return {verdict: 'not-checkable', detail: 'has no tooth'};
  const {files} = evidence;
  switch (tooth.kind) {
    case 'protect':
      return keptUnless(
        filesIn(files, tooth.globs),
        (found) => `${shownPaths(pathsOf(found))} was ${found[0]?.how ?? 'changed'}`,
      );
    case 'only':
      return keptUnless(
        filesBeside(files, tooth.globs),
        (found) =>
          `${shownPaths(pathsOf(found))} is not in ${excerpt(tooth.globs.join(', '), 100)}`,
      );
    case 'forbid-path':
      return keptUnless(
        filesIn(
          files.filter(({how}) => how === 'added'),
          tooth.globs,
        ),
        (found) => `${shownPaths(pathsOf(found))} was added`,
      );
    case 'max-files':
      return within(files.length, tooth.most, 'file');
    case 'max-lines':
      return within(
        files.reduce((sum, {added, removed}) => sum + added + removed, 0),
        tooth.most,
        'line',
      );
    case 'forbid':
      return judgeForbidden(tooth, evidence);
    case 'require':
      return judgeRequired(number, tooth.command, evidence);
  }
}

function filesIn(files: readonly ChangedFile[], globs: readonly string[]): readonly ChangedFile[] {
  const matches = pathMatcher(globs);
  return files.filter(({path}) => matches(matchable(path)));
}

function filesBeside(
  files: readonly ChangedFile[],
  globs: readonly string[],
): readonly ChangedFile[] {
  const matches = pathMatcher(globs);
  return files.filter(({path}) => !matches(matchable(path)));
}

function pathsOf(files: readonly ChangedFile[]): string[] {
  return files.map(({path}) => path);
}

function keptUnless(
  found: readonly ChangedFile[],
  detailOf: (found: readonly ChangedFile[]) => string,
): Finding {
  return found.length === 0 ? {verdict: 'kept'} : {verdict: 'broken', detail: detailOf(found)};
}

function within(count: number, most: number, noun: string): Finding {
  return {
    verdict: count <= most ? 'kept' : 'broken',
    detail: `${count} ${noun}${count === 1 ? '' : 's'}, at most ${most}`,
  };
}

function judgeForbidden(
  {pattern, flags}: Extract<Tooth, {kind: 'forbid'}>,
  {addedLines, unread, secrets}: Evidence,
): Finding {
  const search = findForbidden(pattern, flags, addedLines);
  if ('refused' in search) return {verdict: 'not-checkable', detail: search.refused};
  if (search.found !== undefined) {
    const {path, line, text} = search.found;
    return {
      verdict: 'broken',
      detail: `${shownPath(path)}:${line}: ${excerpt(redact(text, secrets).trim(), 120)}`,
    };
  }

  // What nobody looked at could hide anything, so nobody says that the rule is kept.
  if (search.unread > 0)
    return {
      verdict: 'not-checkable',
      detail: `${search.unread} added ${search.unread === 1 ? 'line is' : 'lines are'} more than can be looked through`,
    };
  const [first] = unread;
  return first === undefined
    ? {verdict: 'kept'}
    : {
        verdict: 'not-checkable',
        detail: `${shownPaths(unread.map(({path}) => path))} could not be looked through: ${excerpt(first.why)}`,
      };
}

/** A command that cannot be run proves nothing, least of all that the rule is kept: the change may have taken it away. */
function judgeRequired(number: string, command: string, {required, secrets}: Evidence): Finding {
  const result = required.find(({rule}) => rule === number);
  if (result === undefined)
    return {verdict: 'not-checkable', detail: `\`${excerpt(command)}\` was not run`};
  if (result.exit === 0) return {verdict: 'kept'};
  const words = excerpt(redact(result.words, secrets).trim(), 300);
  const ending = result.exit === null ? 'did not come to an end' : `ended with exit ${result.exit}`;
  return {
    verdict: 'broken',
    detail: `\`${excerpt(command)}\` ${ending}${words === '' ? '' : `: ${words}`}`,
  };
}
