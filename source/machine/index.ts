/**
 * What this machine has and what its kernel says, asked anew each time: programs, disks, process trees, ports, who
 * waits for input, who speaks to us. An answer carries where and when it was read, and says *unknown* where the kernel does not tell.
 *
 * Not here: memory of earlier answers; what an answer means for a task; words for people.
 */
export {askProgram} from './ask-program.ts';
export type {Asking, ProgramAnswer} from './ask-program.ts';
export type {Fact, Proof} from './fact.ts';
export {findProgram, trustedPath} from './find-program.ts';
export type {FoundProgram} from './find-program.ts';
export type {InputHints, InputVerdict} from './input/judge-input.ts';
export {readBlocked} from './input/read-blocked.ts';
export type {Blocked, BlockedQuestion} from './input/read-blocked.ts';
export {inspectProgram} from './inspect-program.ts';
export type {InstalledProgram, Program, Silence} from './inspect-program.ts';
export {kernelOf} from './kernel.ts';
export type {Kernel} from './kernel.ts';
export {lookAtPath} from './look-at-path.ts';
export type {Doubt} from './peer/doubts-about.ts';
export {fdOf} from './peer/fd-of.ts';
export {findPeer} from './peer/find-peer.ts';
export type {Peer, PeerQuestion} from './peer/find-peer.ts';
export type {PeerSession} from './peer/peer-session.ts';
export {explainPort} from './port/explain-port.ts';
export type {PortOptions} from './port/explain-port.ts';
export type {Listener} from './port/listener.ts';
export type {PortAnswer, PortFinding, PortOwner, PortState} from './port/port-answer.ts';
export {portsOf} from './port/ports-of.ts';
export type {HeldPort} from './port/ports-of.ts';
export {probeHttp} from './port/probe-http.ts';
export type {HttpProbe} from './port/probe-http.ts';
export {probeTcp} from './port/probe-tcp.ts';
export type {TcpProbe, TcpTarget} from './port/probe-tcp.ts';
export {readListeners, readUnixListeners} from './port/read-listeners.ts';
export type {UnixListener} from './port/read-unix-table.ts';
export type {SessionRoot} from './port/survey-sessions.ts';
export type {Suspicion} from './process/find-unproven.ts';
export {isSameProcess} from './process/process.ts';
export type {Process, ProcessIdentity} from './process/process.ts';
export {processesOf} from './process/processes-of.ts';
export type {Member, Tree, TreeQuestion} from './process/processes-of.ts';
export {cookieName} from './process/read-cookies.ts';
export {readProcess, readProcesses} from './process/read-processes.ts';
export type {Link, Linked, TreeRoot} from './process/tree-of.ts';
export {readSwitches} from './process/read-switches.ts';
export {usageBetween} from './process/usage-between.ts';
export type {Sample, Usage} from './process/usage-between.ts';
export {newestChange} from './newest-change.ts';
export type {NewestChange} from './newest-change.ts';
export {ownScope} from './own-scope.ts';
export {gh, git} from './programs.ts';
export {readDisk} from './read-disk.ts';
export type {Disk} from './read-disk.ts';
export {fileSystemOf, readFileSystem} from './read-file-system.ts';
export type {FileSystem} from './read-file-system.ts';
export {logindQuestion, readLogind, userQuestion} from './read-logind.ts';
export type {Logind} from './read-logind.ts';
export {readSystem} from './read-system.ts';
export type {System} from './read-system.ts';
export {runProbe} from './run-probe.ts';
export type {ProbeOptions, ProbeOutcome} from './run-probe.ts';
export type {FreedPort} from './stop/read-freed.ts';
export type {SentSignal} from './stop/signal-groups.ts';
export {signalProcess} from './stop/signal-process.ts';
export type {Hands, SignalOutcome, SignalTarget} from './stop/signal-process.ts';
export {ladder, stopTree} from './stop/stop-tree.ts';
export type {Rung, StopOptions, Stopped} from './stop/stop-tree.ts';
