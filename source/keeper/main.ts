// The keeper's program: `keeper <session directory>`. What it has to say goes to its standard error.
import process from 'node:process';
import {runKeeper} from './run-keeper.ts';

try {
  await runKeeper(process.argv[2] ?? '');
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
