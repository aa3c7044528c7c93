// The keeper's program: `keeper <session directory>`. It reports errors on standard error.
import {runKeeper} from './create-keeper.ts';

runKeeper(process.argv[2] ?? '').then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
