export type GitEnd = {
  readonly argv: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
};

/** Git ended with another status than 0. What it printed is kept: for some commands it is the answer. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor({argv, code, stdout, stderr}: GitEnd) {
    super(
      `git ${commandOf(argv)} ended with ${code}: ${firstLineOf(stderr) ?? firstLineOf(stdout) ?? 'it said nothing'}`,
    );
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** The command and its first argument: where git runs and with which settings is not what a person asks. */
function commandOf(argv: readonly string[]): string {
  const at = argv.findIndex(
    (argument, index) =>
      !argument.startsWith('-') &&
      !['-c', '--git-dir', '--work-tree'].includes(argv[index - 1] ?? ''),
  );
  return argv.slice(Math.max(at, 0), Math.max(at, 0) + 2).join(' ');
}

function firstLineOf(text: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
}
