import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';

/** Whoever does not take the last words within this time goes without. */
const withinMs = 2000;

/** Says the last words and ends the connection, also when the other side keeps its half open. */
export function endSoon(socket: Socket, words: string | Buffer): void {
  const timer = setTimeout(() => {
    socket.destroy();
  }, withinMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end(words);
  // What still comes is read and forgotten, or the end would never be seen.
  socket.resume();
}
