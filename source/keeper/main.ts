// The keeper's program: `keeper <session directory>`. What it has to say goes to its standard error.
import {runKeeper} from './run-keeper.ts';

runKeeper(process.argv[2] ?? '').then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
