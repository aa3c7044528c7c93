/**
 * Facts about this machine, read from the kernel on every call: programs, disks, process trees,
 * ports, processes that wait for input, and peers of a socket. An answer has its source and time,
 * and is *unknown* where the kernel does not tell.
 *
 * Not here: memory of earlier answers; what an answer means for a task; text for people.
 */
export {
  findInterpreter,
  type InputHints,
  type InputVerdict,
  type Interpreter,
  isOwnPrompt,
} from './blocked-input/judge-input.ts';
export {type Blocked, type BlockedQuestion, readBlocked} from './blocked-input/read-blocked.ts';
export {
  type DiskSpace,
  type FileSystem,
  findNewestChange,
  getFileSystem,
  inspectPath,
  type NewestChange,
  readDisk,
  readFileSystem,
} from './file-system.ts';
export {type KernelFact, getKernel, type Kernel, type KernelProof} from './kernel.ts';
export {findPeer, type Peer, type PeerQuestion} from './peer/find-peer.ts';
export type {Ancestry, Doubt, Origin, PeerSession} from './peer/peer-origin.ts';
export {getSocketFd, systemPath, type UnknownPeer} from './peer/peer-socket.ts';
export {
  lingerArgv,
  type Logind,
  logindArgv,
  parseLogind,
  readSystem,
  type System,
  systemdScopePrefix,
} from './platform.ts';
export {explainPort, type PortOptions} from './ports/explain-port.ts';
export {
  type Listener,
  readListeners,
  readUnixListeners,
  type UnixListener,
} from './ports/listeners.ts';
export type {PortAnswer, PortFinding, PortOwner, PortState} from './ports/port-answer.ts';
export {type HttpProbe, probeHttp} from './ports/probe-http.ts';
export {probeTcp, type TcpProbe, type TcpTarget} from './ports/probe-port.ts';
export {
  findNameHolder,
  type HeldPort,
  type NameHolder,
  readHeldPorts,
} from './ports/socket-holders.ts';
export {findAdopter} from './processes/find-adopter.ts';
export {
  findLeftovers,
  type LeftoverProcess,
  type LeftoverQuestion,
} from './processes/find-leftovers.ts';
export {cookieName, readCredentials, readSwitches} from './processes/proc.ts';
export {readProcess, readProcesses, rereadProcesses} from './processes/process-table.ts';
export {
  computeWorkMs,
  type DescribedMember,
  inspectSessions,
  type ProcessTree,
  readProcessTree,
  type SessionInspection,
  type SessionRoot,
  type Suspicion,
  type TreeLink,
  type TreeMember,
  type TreeQuestion,
  type TreeRoot,
} from './processes/process-tree.ts';
export {
  getAncestors,
  isDead,
  isSameProcessKey,
  type Process,
  type ProcessKey,
  type ProcessSample,
  type ProcessUsage,
  usageBetween,
} from './processes/process.ts';
export {
  askProgram,
  type AskProgramOptions,
  findProgram,
  isInstalled,
  type FoundProgram,
  ghProgram,
  gitProgram,
  inspectProgram,
  type InstalledProgram,
  type ProbedProgram,
  type ProgramAnswer,
  trustedPath,
  type VersionFailure,
} from './programs.ts';
export {type ProbeOptions, type ProbeOutcome, runProbe} from './run-probe.ts';
export {
  type ProcessControl,
  type SentSignal,
  type SignalOutcome,
  signalProcess,
  type SignalTarget,
} from './signals/signal-process.ts';
export {
  type FreedPort,
  type StopOptions,
  type Stopped,
  type StopStep,
  stopSteps,
  stopTree,
} from './signals/stop-tree.ts';
