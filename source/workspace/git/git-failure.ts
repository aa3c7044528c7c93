export type GitEnd = {readonly argv: readonly string[]; readonly code: number; readonly stdout: string; readonly stderr: string};

/** Git ended with another status than 0. What it printed is kept: for some commands it is the answer. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor({argv, code, stdout, stderr}: GitEnd) {
    super(`git ${argv.slice(0, 2).join(' ')} ended with ${code}: ${firstLineOf(stderr) ?? firstLineOf(stdout) ?? 'it said nothing'}`);
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

function firstLineOf(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '')?.trim();
}
