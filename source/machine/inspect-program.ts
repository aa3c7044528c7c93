import {type Asking, askProgram} from './ask-program.ts';
import type {ProbeOutcome} from './run-probe.ts';

/** A program that can be asked for its version. Some (pi) print it on standard error. */
export type Program = {
  readonly command: string;
  readonly versionArguments: readonly string[];
  readonly readVersion: (output: string) => string | undefined;
  /** Set while it is asked, so that it does not look for updates on the side. */
  readonly quiet?: Readonly<Record<string, string>>;
};

export type InstalledProgram =
  | {readonly at: 'missing'; readonly ignored: readonly string[]}
  | {readonly at: 'works'; readonly file: string; readonly version: string}
  | {readonly at: 'silent'; readonly file: string; readonly why: Silence};

/** Why it did not tell its version. */
export type Silence =
  | {readonly at: 'timed-out'; readonly timeoutMs: number}
  | {readonly at: 'failed'; readonly how: string}
  | {readonly at: 'unreadable'; readonly said: string};

export async function inspectProgram(program: Program, asking: Asking): Promise<InstalledProgram> {
  const answer = await askProgram(program.command, program.versionArguments, {
    ...asking,
    env: {...asking.env, ...program.quiet},
  });
  const {file, ignored, outcome} = answer;
  if (file === undefined || outcome === undefined) return {at: 'missing', ignored};
  const version =
    outcome.at === 'exited' && outcome.code === 0
      ? (program.readVersion(outcome.stdout) ?? program.readVersion(outcome.stderr))
      : undefined;
  return version === undefined
    ? {at: 'silent', file, why: silenceOf(outcome)}
    : {at: 'works', file, version};
}

function silenceOf(outcome: ProbeOutcome): Silence {
  if (outcome.at === 'timed-out') return {at: 'timed-out', timeoutMs: outcome.timeoutMs};
  if (outcome.at === 'signalled') return {at: 'failed', how: outcome.signal};
  if (outcome.at === 'not-started') return {at: 'failed', how: outcome.code};
  if (outcome.code !== 0) return {at: 'failed', how: `exit code ${outcome.code}`};
  return {at: 'unreadable', said: (outcome.stdout.trim() || outcome.stderr.trim()).slice(0, 80)};
}
