// A full-screen program at work: raw mode, and something new on the screen all the time.
import process from 'node:process';
import {setInterval} from 'node:timers';

process.stdin.setRawMode(true).resume();
setInterval(() => {
  process.stdout.write(`\r${'|/-\\'[Math.floor(Date.now() / 100) % 4]} thinking`);
}, 100);
