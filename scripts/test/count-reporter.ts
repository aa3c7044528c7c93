import type {TestEvent} from 'node:test/reporters';

/** A reporter of node:test that counts, names what was skipped and why, and times the files. */
// node:test takes the default export of a reporter.
// eslint-disable-next-line no-restricted-syntax
export default async function* countReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  let passed = 0;
  const failures: string[] = [];
  const skipped: {name: string; reason: string}[] = [];
  const seconds = new Map<string, number>();
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const {name, skip, details, file = '', nesting} = event.data;
    if (nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + details.duration_ms / 1000);
    // A suite that is skipped never names its tests, so it counts as one.
    if (skip !== undefined && skip !== false)
      skipped.push({name, reason: skip === true ? 'no reason given' : skip});
    else if (details.type === 'suite') continue;
    else if (event.type === 'test:pass') passed += 1;
    else failures.push(`${file}: ${name}`);
  }

  yield JSON.stringify({passed, failed: failures.length, failures, skipped, seconds: [...seconds]});
}
