// A pretend agent: pretend.mjs SCRIPT. The script is JSON: what it prints, and how it ends.
import {Buffer} from 'node:buffer';
import {readFileSync, writeFileSync, writeSync} from 'node:fs';
import process from 'node:process';
import {setInterval} from 'node:timers';

const {
  chunks = [],
  errors = [],
  code = 0,
  hangs = false,
  ignores = [],
  promptTo,
  signal,
  late = [],
} = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const name of ignores) process.on(name, () => writeSync(2, `got ${name}\n`));
if (promptTo !== undefined) writeFileSync(promptTo, readFileSync(0));
for (const text of errors) writeSync(2, text);
for (const chunk of chunks)
  await new Promise((resolve) =>
    process.stdout.write(
      typeof chunk === 'string' ? chunk : Buffer.from(chunk.base64, 'base64'),
      resolve,
    ),
  );
for (const text of late) writeSync(2, text);
if (hangs) setInterval(() => {}, 1000);
else if (signal !== undefined) process.kill(process.pid, signal);
else process.exitCode = code;
