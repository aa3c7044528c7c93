/** A whole number that begins with one, as lines and rounds do. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
