// Ends its last line like a question, but listens to the network only.
import net from 'node:net';
import process from 'node:process';

net.createServer().listen(0, '127.0.0.1', () => {
  process.stdout.write('Continue? [y/N] ');
});
