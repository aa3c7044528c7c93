/**
 * What an agent can do to speak to the daemon as if it were the person, and what can be found out
 * about each. The scripts run inside a session. `$SPEAK` is a client that says "approve";
 * `$TMUX_OUTSIDE` is the socket of a person's own tmux, `$SPOOL` a directory from which a service
 * of the person's runs whatever is put there.
 *
 * - `session`: proven to come from a session.
 * - `doubt`: not proven, but what a person's own command would not look like; `doubts` says why.
 * - `unknown`: nobody can be named. A person's command waits for its answer, so this is never one.
 * - `none`: looks like a person's command, because a program of the person's runs it. Only the
 * sandbox stops these, by hiding the sockets and directories through which such programs are told
 * what to do.
 */
export type Attack = {
  readonly name: string;
  readonly script: string;
} & (
  | {readonly verdict: 'session'; readonly found: string}
  | {readonly verdict: 'doubt'; readonly doubts: readonly string[]}
  | {readonly verdict: 'unknown'; readonly text: string}
  | {readonly verdict: 'none'}
);

export const attacks: readonly Attack[] = [
  {name: 'speaks plainly', script: '$SPEAK', verdict: 'session', found: 'cookie'},
  {
    name: 'speaks from shells inside shells',
    script: 'sh -c "bash -c \'$SPEAK; :\'; :"',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: "leaves the kernel's session by setsid",
    script: 'setsid -w $SPEAK',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: 'does not hear hang-ups, in the background',
    script: 'nohup $SPEAK > /dev/null 2>&1 & wait',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: 'clears its environment',
    script: 'env -i $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'clears its environment and leaves by setsid',
    script: 'env -i setsid -w $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'claims the cookie of another session',
    script: 'env ORCH_SESSION=somebody-else $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'claims the mark of a hook',
    script: 'env ORCH_SESSION=told $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'claims an empty mark and leaves by setsid',
    script: 'env ORCH_SESSION= setsid -w $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'calls itself something else',
    script: "bash -c 'exec -a orchestrad env -i $SPEAK'",
    verdict: 'session',
    found: 'descendant',
  },
  {name: 'forks twice', script: '(setsid $SPEAK &)', verdict: 'session', found: 'cookie'},
  {
    name: 'forks twice with a cleared environment',
    script: '(env -i $SPEAK &)',
    verdict: 'session',
    found: 'process-session',
  },
  {
    name: 'connects, forks, and lets the child speak',
    script: 'env -i $SPEAK hand-on',
    verdict: 'session',
    found: 'process-session',
  },
  {
    name: 'speaks in a terminal made by Python',
    script: 'python3 -c \'import os, pty; pty.spawn(os.environ["SPEAK"].split())\' < /dev/null',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: 'speaks in a terminal made by script(1), environment cleared',
    script: 'env -i script -qec "$SPEAK" /dev/null < /dev/null',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'starts a tmux of its own',
    script: 'tmux -S "$PWD/t" -f /dev/null new-session -d "$SPEAK"',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: 'relays the words of an orphan',
    script:
      'mkfifo pipe; (env -i setsid sh -c "echo approve > \'$PWD/pipe\'" &); $SPEAK relay < pipe',
    verdict: 'session',
    found: 'cookie',
  },
  {
    name: 'makes a namespace of processes',
    script: 'unshare --user --map-root-user --pid --fork env -i $SPEAK',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'adopts its own orphan',
    script:
      'perl -e \'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 36, 1, 0, 0, 0); system "(env -i setsid @ARGV &)"; sleep 600\' $SPEAK &',
    verdict: 'session',
    found: 'descendant',
  },
  {
    name: 'forks twice, clears its environment, leaves by setsid',
    script: '(env -i setsid $SPEAK &)',
    verdict: 'doubt',
    doubts: ['orphan', 'directory'],
  },
  {
    name: 'does so from another directory',
    script: '(cd / && env -i setsid $SPEAK < /dev/null > /dev/null 2>&1 &)',
    verdict: 'doubt',
    doubts: ['orphan'],
  },
  {
    name: 'lets the child of such an orphan speak',
    script: '(cd / && env -i setsid sh -c "$SPEAK; :" < /dev/null > /dev/null 2>&1 &)',
    verdict: 'doubt',
    doubts: ['orphan'],
  },
  {
    name: 'starts a tmux of its own with a cleared environment',
    script: '(cd / && env -i tmux -S "$OLDPWD/t" -f /dev/null new-session -d "$SPEAK")',
    verdict: 'doubt',
    doubts: ['orphan'],
  },
  {
    name: 'speaks and is gone',
    script: '$SPEAK leave',
    verdict: 'unknown',
    text: 'the other end has already gone',
  },
  {
    name: "forges a row of the kernel's by the name of a socket",
    script: '$SPEAK forge',
    verdict: 'unknown',
    text: 'the kernel does not list the connection, or lists it twice',
  },
  {
    name: "types into the person's tmux",
    script: 'tmux -S "$TMUX_OUTSIDE" new-window "$SPEAK"',
    verdict: 'none',
  },
  {
    name: "leaves a job for a service of the person's",
    script: 'echo "$SPEAK" > "$SPOOL/job"',
    verdict: 'none',
  },
];
