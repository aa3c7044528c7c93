/** `ENOENT`, `EACCES`, …: what the system calls the failure. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
