/** Gives memory back once a session is quiet: what V8 left lying of a flood is a tenth of a keeper. */
export type Tidying = {
  /** So many bytes went through. */
  readonly passed: (bytes: number) => void;
  readonly close: () => void;
};

const quietMs = 2000;
/** Less leaves nothing worth the work. */
const worthwhile = 256 * 1024;

export function createTidying(tidy: () => void, quiet = quietMs): Tidying {
  let passed = 0;
  const clock = setTimeout(() => {
    if (passed < worthwhile) return;
    passed = 0;
    tidy();
  }, quiet);
  clock.unref();
  return {
    passed: (bytes) => {
      passed += bytes;
      clock.refresh();
    },
    close: () => {
      clearTimeout(clock);
    },
  };
}
