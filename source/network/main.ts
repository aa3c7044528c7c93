// The program for restricted networks: `supervise ORDERS -- COMMAND…` runs outside of the sandbox,
// `bridge PORTS` inside, before the session's program.
import {errorText} from '../shared/index.ts';
import {bridge, supervise} from './supervise.ts';

const [role, first = '', ...rest] = process.argv.slice(2);
if (role === 'bridge') {
  bridge(first.split(',').map(Number)).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(
        `orchestra: the sandbox's network could not be set up: ${errorText(error)}\n`,
      );
      process.exit(1);
    },
  );
} else if (role === 'supervise') {
  supervise(first, rest.slice(1));
} else {
  process.stderr.write(
    'orchestra: expected supervise or bridge. Sessions with a restricted network are started by the daemon.\n',
  );
  process.exitCode = 2;
}
