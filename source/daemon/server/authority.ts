import {toSha256} from '../../shared/index.ts';
import type {UserCommand} from '../../domain/index.ts';
import type {Question} from '../../protocol/index.ts';

/**
 * Who may make a request. Every client has the token; on Linux the kernel also identifies it, and a
 * client that it cannot identify gets only what `anyone` may do.
 *
 * - `anyone`: reads, or does what agents may do as well.
 * - `not-an-agent`: ends or queues something. Allowed for a person's own session, for a hook, and
 * for a client in doubt, which is journaled.
 * - `not-in-doubt`: types into terminals or runs programs as the person. Allowed for a person's own
 * session and for a hook.
 * - `person`: decides about agents and their work. Never from inside a session, not even a person's
 * own: an agent may run in it.
 */
export type Authority = 'anyone' | 'not-an-agent' | 'not-in-doubt' | 'person';

export const authorityOfCommand: Readonly<Record<UserCommand['type'], Authority>> = {
  'start-run': 'not-an-agent',
  'move-in-queue': 'not-an-agent',
  'comment-plan': 'person',
  'edit-plan': 'person',
  'reject-plan': 'person',
  'approve-plan': 'person',
  'choose-baseline': 'person',
  'baseline-again': 'person',
  'plan-again': 'person',
  'grant-attempt': 'person',
  'take-over': 'person',
  'hand-back': 'person',
  'check-task': 'person',
  'reset-task': 'person',
  'pick-variant': 'person',
  // A worker must not be able to instruct another one.
  'message-task': 'person',
  stop: 'not-an-agent',
  resume: 'person',
  discard: 'person',
  undo: 'person',
  'accept-run': 'person',
  'adopt-branch': 'person',
  'restore-branch': 'person',
  'extend-budget': 'person',
  // It decides which programs run in every session of the run.
  'refresh-environment': 'person',
  'tidy-worktree': 'person',
  // The started session counts as the person's own.
  'start-session': 'not-in-doubt',
  'send-input': 'not-in-doubt',
  'answer-question': 'person',
  'declare-service': 'not-in-doubt',
  // Agents have tools for these; a person's request also overrides a person's stop.
  'start-service': 'not-an-agent',
  'stop-service': 'not-an-agent',
  'restart-service': 'not-an-agent',
  'add-note': 'anyone',
  'acknowledge-intrusion': 'person',
  'acknowledge-loop': 'person',
};

export const authorityOfQuestion: Readonly<Record<Exclude<Question['about'], 'wish'>, Authority>> =
  {
    state: 'anyone',
    sessions: 'anyone',
    explain: 'anyone',
    usage: 'anyone',
    // The answer has the token of the session's keeper, which allows typing into the session.
    ticket: 'not-in-doubt',
    services: 'anyone',
    facts: 'anyone',
    daemon: 'anyone',
    explanation: 'anyone',
    diff: 'anyone',
    timeline: 'anyone',
    // Anyone may ask both; only a person's question is recorded as a visit.
    brief: 'anyone',
    seen: 'anyone',
    recall: 'anyone',
    audit: 'anyone',
    repository: 'anyone',
    skills: 'anyone',
    // The answer has names and PATH, no other value.
    environment: 'anyone',
    dependencies: 'anyone',
    // It writes into the person's checkout.
    share: 'person',
    kept: 'anyone',
    // For `sweep`, which removes files; without it, anyone.
    gc: 'person',
    conflicts: 'anyone',
    events: 'anyone',
    typing: 'anyone',
    // It puts files of the person where an agent reads them.
    'give-files': 'person',
    asked: 'anyone',
    // Rejected at this socket for everybody.
    tool: 'anyone',
    // Whoever reads a code can decide with it.
    codes: 'person',
    'stop-daemon': 'not-an-agent',
  };

/**
 * What a request needs. `intent` and `what` name it for people; `digest` is the hash of the command
 * and everything that it binds. A one-time code is valid for one digest; a request without one
 * cannot be made with a code.
 */
export type Requirement = {
  readonly authority: Authority;
  readonly intent: string;
  readonly what?: string;
  readonly digest?: string;
};

/** The digest covers all fields of the command: plan hashes, commits, texts. */
export function getCommandRequirement(command: UserCommand): Requirement {
  const fields = command as unknown as Readonly<Record<string, unknown>>;
  const about = ['run', 'task', 'what', 'session', 'owner', 'service']
    .map((field) => fields[field])
    .find((value) => typeof value === 'string');
  return withDigest(
    {
      // The start of a run without a planner is an approval as well.
      authority:
        command.type === 'start-run' && command.request.open !== undefined
          ? authorityOfCommand['approve-plan']
          : authorityOfCommand[command.type],
      intent: command.type,
      what: `${command.type}${about === undefined ? '' : ` ${about}`}`,
    },
    command,
  );
}

function withDigest(asked: Omit<Requirement, 'digest'>, bound: unknown): Requirement {
  return {...asked, digest: toSha256(JSON.stringify(bound))};
}

/**
 * For every question but a command. `isLive` says whether a session lives; the token of an ended
 * one opens nothing.
 */
export function getQuestionRequirement(
  question: Exclude<Question, {readonly about: 'wish'}>,
  isLive: (session: string) => boolean,
): Requirement {
  const {about} = question;
  // The request handler rejects what this version does not know.
  const authority = Object.hasOwn(authorityOfQuestion, about)
    ? authorityOfQuestion[about]
    : 'anyone';
  if (about === 'gc')
    return withDigest(
      {
        authority: question.sweep === true ? authority : 'anyone',
        intent: 'remove what was left over',
      },
      {about},
    );
  if (about === 'ticket')
    return withDigest(
      {
        authority: isLive(question.session) && question.read !== true ? authority : 'anyone',
        intent: `attach to ${question.session}`,
      },
      {about, session: question.session},
    );
  if (about === 'share')
    return withDigest(
      {authority, intent: 'change what the project shares'},
      {about, paths: question.paths, detected: question.detected, hardLink: question.hardLink},
    );
  if (about === 'give-files')
    return withDigest(
      {authority, intent: `give files to ${question.session}`},
      {about, session: question.session, files: question.files},
    );
  if (about === 'codes') return {authority, intent: 'read one-time codes'};
  return {authority, intent: about};
}
