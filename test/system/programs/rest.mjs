// A full-screen program that has nothing to do: raw mode, no question on the screen.
import process from 'node:process';

process.stdin.setRawMode(true).resume();
process.stdout.write('\u001B[2J\u001B[Hall done\r\n');
