/** The calls in which a thread can sleep that matter here. The others are all the same: it waits for something else. */
export type SystemCall =
  'read' | 'poll' | 'ppoll' | 'select' | 'pselect' | 'epoll' | 'futex' | 'sigwait' | 'unclear';

/** `unclear`: restart_syscall, which hides the call that it resumes, and io_uring_enter, which waits for anything. */
const x64: Readonly<Record<number, SystemCall>> = {
  0: 'read',
  19: 'read',
  7: 'poll',
  271: 'ppoll',
  23: 'select',
  270: 'pselect',
  232: 'epoll',
  281: 'epoll',
  441: 'epoll',
  202: 'futex',
  128: 'sigwait',
  219: 'unclear',
  426: 'unclear',
};

/** The numbers of asm-generic/unistd.h. */
const generic: Readonly<Record<number, SystemCall>> = {
  63: 'read',
  65: 'read',
  73: 'ppoll',
  72: 'pselect',
  22: 'epoll',
  441: 'epoll',
  98: 'futex',
  137: 'sigwait',
  128: 'unclear',
  426: 'unclear',
};

/** Each architecture counts its calls in its own way; one that is not here is not guessed at. */
export const systemCalls: Readonly<Record<string, Readonly<Record<number, SystemCall>>>> = {
  x64,
  arm64: generic,
  riscv64: generic,
  loong64: generic,
};
