/** Signals that end a process, by their numbers on Linux and macOS. Numbers that differ between the two (SIGBUS, SIGUSR1, SIGUSR2, SIGSYS) are not told apart: all end it. */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
  31: 'SIGSYS',
};

/** The signal that an exit code stands for: a shell, a sandbox or another wrapper whose program was killed ends with 128 and the signal's number. */
export function signalInExit(code: number | null): string | undefined {
  return code === null ? undefined : signals[code - 128];
}

/** What wrappers print about a program of theirs that was killed: shells, npm, the kernel's log. Said by a program itself, it means the same. */
const killed =
  /\b(?:SIG(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|SEGV|PIPE|TERM|XCPU|XFSZ|SYS))\b|(?:^|\s)(?:Killed|Terminated|Hangup|Aborted \(core dumped\)|Segmentation fault)\b|\bOOM[- ]?[Kk]ill|JavaScript heap out of memory/;

export function tellsOfKill(words: string): boolean {
  return killed.test(words.slice(-mostCharacters));
}

const mostCharacters = 1000;
