import {isRule} from './structure/blocks.ts';

/**
 * Empties the lines that do not count because the run went on: the output of a command whose failure
 * the shell ignores (`mocha || true`), and that of a run inside a test which passed. The number of
 * lines stays the same.
 */
export function withoutTolerated(lines: readonly string[]): readonly string[] {
  const result = [...lines];
  let isTolerating = false;
  for (const [at, line] of lines.entries()) {
    if (commandPrefix.test(line)) {
      isTolerating = ignoresFailure.test(line);
      continue;
    }

    if (isTolerating) result[at] = '';
    if (line === 'ok' && /^FAILED \(\w+=/.test(lines[at - 1] ?? '')) clearInnerRun(result, at);
  }

  return result;
}

/** Commands that CI and `sh -x` print before they run them. */
const commandPrefix = /^(?:\++ |\$ |##\[group\]Run |\[Pipeline\] )/;
const ignoresFailure = / \|\| (?:true|:|echo\b.{0,300}|exit 0)\s*$/;

/** Back to the line of the outer test, which a passing `ok` ends. */
function clearInnerRun(lines: string[], end: number): void {
  for (let index = end - 1; index >= 0 && end - index < maxLines; index -= 1) {
    const line = lines[index] ?? '';
    if (/ \.{3} [.FEsx]*$/.test(line) && !isRule(line)) return;
    lines[index] = '';
  }
}

const maxLines = 2000;
