/**
 * A very long log without what cannot be its first failure: the beginning, the end, and the lines
 * around each line that may be about a failure stay. Readers then take the same time for any log.
 */
export function condenseLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxLines) return lines;
  const last = lines.length - lastLines;
  const selected = lines.slice(0, firstLines);
  let next = firstLines;
  for (let at = firstLines; at < last && selected.length < maxLines - lastLines; at += 1) {
    const line = lines[at] ?? '';
    if (!suspicious.test(line) || passed.test(line)) continue;
    for (
      let index = Math.max(next, at - linesBefore);
      index < Math.min(at + linesAfter, last);
      index += 1
    )
      selected.push(lines[index] ?? '');
    next = Math.max(next, Math.min(at + linesAfter, last));
    at = Math.max(at, next - 1 - linesBefore);
  }

  for (let index = Math.max(next, last); index < lines.length; index += 1)
    selected.push(lines[index] ?? '');
  return selected;
}

const maxLines = 20_000;
const firstLines = 4000;
const lastLines = 6000;
const linesBefore = 20;
const linesAfter = 40;

const suspicious =
  /error|fail|ERR|FAIL|Error|Fail|panic|Traceback|not ok|fatal|FATAL|xception|ssert|[✖✘✗✕×●❌]|warning|runtime|anitizer|:\d+:\d+/;
const passed = /^\s*(?:✓|✔|√|ok\b|PASS|--- PASS|\[ +OK )/;
