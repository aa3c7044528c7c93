/** Size of the repository. A quick run sets smaller numbers in the environment. */
export type Sizes = {
  readonly files: number;
  readonly modulesMb: number;
  readonly hasVirtualenv: boolean;
};

export function readSizes(env: Readonly<Record<string, string | undefined>>): Sizes {
  return {
    files: getCount(env, 'ORCHESTRA_TRIAL_FILES', 20_000),
    modulesMb: getCount(env, 'ORCHESTRA_TRIAL_MODULES_MB', 250),
    hasVirtualenv: env['ORCHESTRA_TRIAL_VENV'] !== '0',
  };
}

function getCount(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  usual: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return usual;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0)
    throw new Error(`expected ${name} to be a whole number from 0 on, got ${JSON.stringify(text)}`);
  return count;
}
