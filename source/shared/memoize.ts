/**
 * Computes once for each object: the state is never changed in place, so the same state has the
 * same result. Results are dropped with their object.
 */
export function memoizeByObject<Input extends object, Result>(
  compute: (input: Input) => Result,
): (input: Input) => Result {
  const results = new WeakMap<Input, {readonly result: Result}>();
  return (input) => {
    const known = results.get(input);
    if (known !== undefined) return known.result;
    const result = compute(input);
    results.set(input, {result});
    return result;
  };
}
