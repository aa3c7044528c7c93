/**
 * Whether matching can take exponential time: a group that repeats without limit and holds, inside, another endless
 * repetition (`(a+)+`) or alternatives that may begin alike (`(\w|\d)*`). Errs on the side of saying yes, because a
 * rules file comes with a repository and its patterns run in the daemon.
 */
export function isSlowPattern(pattern: string): boolean {
  const outer: Group[] = [];
  let group = newGroup();
  const tokens = [...pattern.matchAll(token)].map(([text]) => text);
  for (const [index, text] of tokens.entries()) {
    if (text.startsWith('(')) {
      group.starts ??= '(';
      outer.push(group);
      group = newGroup();
    } else if (text === ')') {
      const isEndless = endless.test(tokens[index + 1] ?? '');
      if (isEndless && (group.hasEndless || isAmbiguous(group))) return true;
      const {hasEndless} = group;
      group = outer.pop() ?? newGroup();
      group.hasEndless ||= hasEndless;
    } else if (text === '|') {
      endAlternative(group);
    } else if (endless.test(text)) {
      group.hasEndless = true;
    } else {
      group.starts ??= text;
    }
  }

  return false;
}

/** What matters of a group that is being read: the first thing of each alternative, and whether something in it is endless. */
type Group = {hasEndless: boolean; starts: string | undefined; readonly alternatives: string[]};

const token =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\{\d+(?:,\d*)?\}\??|[*+?]\??|[^]/g;
/** `*`, `+`, `{3,}`; a counted repetition of more than a few is as bad. */
const endless = /^(?:[*+]|\{\d+,\}|\{\d+,\d{2,}\}|\{\d{2,}\})/;

function newGroup(): Group {
  return {hasEndless: false, starts: undefined, alternatives: []};
}

function endAlternative(group: Group): void {
  group.alternatives.push(group.starts ?? '');
  group.starts = undefined;
}

function isAmbiguous(group: Group): boolean {
  if (group.alternatives.length === 0) return false;
  endAlternative(group);
  const areLetters = group.alternatives.every((start) => /^(?:[^\\[(.]|\\[^A-Za-z])$/s.test(start));
  return (
    !areLetters ||
    new Set(group.alternatives.map((start) => start.toLowerCase())).size < group.alternatives.length
  );
}
