/**
 * Why the text cannot be a command that proves anything; undefined when it can. The sentence
 * continues after the command.
 */
export function findVagueness(command: string): string | undefined {
  const text = command.trim();
  if (text === '') return 'is empty: write the exact command.';
  if (placeholder.test(text)) return 'is a placeholder: write the exact command.';
  if (prose.test(text))
    return 'is a sentence, not a command: write what you would type in a shell.';
  return undefined;
}

/** A check that always succeeds. */
export function cannotFail(command: string): boolean {
  return (
    /^(?:true|:|exit 0|echo\b[^|&;]*)$/.test(command.trim()) ||
    /(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^|&;]*)$/.test(command.slice(-200).trim())
  );
}

/** A check that watches or serves, and so never exits. */
export function neverEnds(command: string): boolean {
  return (
    /\s--watch(?:All)?(?!\S)/.test(command) ||
    /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:start|dev|serve|watch)(?!\S)/.test(command.trim()) ||
    /^(?:tail\s+(?:-\S+\s+)*-[fF]|watch)\s/.test(command.trim())
  );
}

/** Whether the text was probably meant for a shell. */
export function looksLikeCommand(text: string): boolean {
  const [first = ''] = text.replace(/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+/, '').split(/\s/, 1);
  return runners.has(first) || /^\.{1,2}\/[\w.-]/.test(first);
}

const placeholder =
  /^(?:\.{2,}|…|-+|\?+|x{3,}|(?:todo|tbd|fixme|n\/a|none)\b.*|<[^<>|&;]*>|(?:your|the|some)\s.*|command(?:\s+here)?)$/i;
const prose =
  /^(?:make sure|ensure|verify that|confirm|check (?:that|if|whether|the|all|everything)|run (?:the|all|your|every|unit|tests?|build|lint)\b|please|all tests?|everything|it (?:should|must|works)|tests? (?:must|should|pass|are|is)|build (?:must|should|passes)|should|must)(?!\S)/i;

const runners = new Set(
  (
    'npm npx pnpm yarn bun bunx node deno tsc tsx eslint prettier biome vitest jest ' +
    'mocha ava playwright cypress turbo nx ' +
    'make just cmake ctest ninja bazel cargo rustc go gofmt golangci-lint python python3 ' +
    'pytest pip poetry uv tox nox ruff mypy black flake8 ' +
    'gradle ./gradlew mvn dotnet bundle rake rspec rubocop mix composer phpunit php ' +
    'swift xcodebuild flutter dart zig ' +
    'docker docker-compose terraform sh bash zsh git pre-commit'
  ).split(' '),
);
