import type {SharedFolder} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {readFolder} from './project-texts.ts';
import {readFields, type Report} from './read-fields.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

export const mostShared = 50;

/** Folders of the checkout that each worktree gets: by path, or `{path, by: hard-link}`. What cannot be read is left out; of two with one path the first counts. */
export function readShare(value: YamlValue, report: Report): SharedFolder[] | undefined {
  if (value.is !== 'list' && value.is !== 'text') {
    report(
      value.line,
      `share: expected a list like [node_modules], got ${describeYaml(value)}. Change it. Until then it counts as empty.`,
    );
    return undefined;
  }

  const items = value.is === 'list' ? value.items : [value];
  if (items.length > mostShared)
    report(
      value.line,
      `share: expected at most ${mostShared}, got ${items.length}. Leave some out. Until then the first ${mostShared} count.`,
    );
  const folders = items
    .slice(0, mostShared)
    .flatMap((item, index) =>
      readItem(item, value.is === 'list' ? `share[${index}]` : 'share', report),
    );
  return folders.filter(
    (folder, index) => folders.findIndex((other) => pathOf(other) === pathOf(folder)) === index,
  );
}

function pathOf(folder: SharedFolder): string {
  return typeof folder === 'string' ? folder : folder.path;
}

function readItem(item: YamlValue, place: string, report: Report): SharedFolder[] {
  const leaveOut = (line: number, words: string): SharedFolder[] => {
    report(line, `${place}: ${words} Until then it is left out.`);
    return [];
  };
  if (item.is === 'text') {
    const reading = readFolder(item.text);
    return 'text' in reading
      ? [reading.text]
      : leaveOut(item.line, `"${excerpt(item.text)}" ${reading.refused}`);
  }

  if (item.is !== 'mapping')
    return leaveOut(
      item.line,
      `expected the path of a folder, got ${describeYaml(item)}. Change it.`,
    );
  const fields = readFields(item, place, {known: ['path', 'by']}, report);
  const [path, by] = [fields.get('path'), fields.get('by')];
  if (path?.is !== 'text')
    return leaveOut(
      item.line,
      'expected path, the path of a folder. Write {path: node_modules, by: hard-link}.',
    );
  const reading = readFolder(path.text);
  if ('refused' in reading)
    return leaveOut(path.line, `"${excerpt(path.text)}" ${reading.refused}`);
  if (by === undefined) return [reading.text];
  if (by.is === 'text' && by.text === 'hard-link') return [{path: reading.text, by: 'hard-link'}];
  return leaveOut(
    by.line,
    `by: expected "hard-link", got ${describeYaml(by)}. Leave it out for a copy of its own.`,
  );
}
