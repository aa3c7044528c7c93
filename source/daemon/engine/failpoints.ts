/** Called at named points, so that tests can kill the daemon there. */
export type Failpoints = (point: string) => void;

type Step = {readonly times: number; readonly act: 'off' | 'kill9' | 'error'};

/**
 * `commit.after-report=2*off->1*kill9;judge.before=error`: each time the point is reached, the next
 * step of its list is taken; after the last one nothing happens (the grammar of FreeBSD's fail(9)).
 * Without the variable nothing ever happens.
 */
export function createFailpoints(
  text: string | undefined,
  kill: () => void,
  reached: (point: string) => void = () => undefined,
): Failpoints {
  if (text === undefined || text === '') return () => undefined;
  const lists = new Map(text.split(';').map((entry) => parseEntry(entry)));
  return (point) => {
    reached(point);
    const step = lists.get(point)?.shift();
    if (step === 'kill9') kill();
    if (step === 'error') throw new Error(`failpoint ${point}`);
  };
}

function parseEntry(entry: string): [string, Step['act'][]] {
  const [point = '', steps = ''] = entry.split('=');
  return [
    point.trim(),
    steps
      .split('->')
      .map(parseStep)
      .flatMap(({times, act}) => Array.from({length: times}, () => act)),
  ];
}

function parseStep(text: string): Step {
  const found = /^(?:(?<times>\d+)\*)?(?<act>off|kill9|error)$/.exec(text.trim());
  if (found?.groups === undefined)
    throw new Error(`expected a failpoint such as 2*off->1*kill9, got ${JSON.stringify(text)}`);
  return {times: Number(found.groups['times'] ?? 1), act: found.groups['act'] as Step['act']};
}
