import {sha256Of} from '../base/index.ts';
import type {Wish} from '../domain/index.ts';
import type {Question} from '../protocol/index.ts';

/**
 * What somebody must be to be answered. Whoever asks has the token; on Linux the kernel is asked who that is, and nobody passes
 * beyond `anyone` whom it cannot name.
 *
 * - `anyone`: reads, or does what an agent may do, too.
 * - `not-an-agent`: ends or queues something. A person's own session and a hook may; who is only doubted may, and is written down.
 * - `not-in-doubt`: types into terminals or runs programs as the person. A person's own session and a hook may.
 * - `person`: decides over agents and their work. Never from inside a session, not even from a person's own: an agent may run in it.
 */
export type Authority = 'anyone' | 'not-an-agent' | 'not-in-doubt' | 'person';

export const authorityOfCommand: Readonly<Record<Wish['type'], Authority>> = {
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
  'reset-task': 'person',
  stop: 'not-an-agent',
  resume: 'person',
  discard: 'person',
  'accept-run': 'person',
  'adopt-branch': 'person',
  'restore-branch': 'person',
  'extend-budget': 'person',
  // Decides which programs run in every session of the run.
  'refresh-environment': 'person',
  'tidy-worktree': 'person',
  // What it starts counts as the person's own session.
  'start-session': 'not-in-doubt',
  'send-input': 'not-in-doubt',
  'answer-question': 'person',
  'declare-service': 'not-in-doubt',
  // Agents may, as agents: who asks as a person also lifts a person's stop.
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
    // It holds the token of the session's keeper: whoever has that types into the session.
    ticket: 'not-in-doubt',
    services: 'anyone',
    facts: 'anyone',
    daemon: 'anyone',
    explanation: 'anyone',
    diff: 'anyone',
    timeline: 'anyone',
    // Both may be asked by anyone; that the person was here is remembered only of a person.
    brief: 'anyone',
    seen: 'anyone',
    recall: 'anyone',
    audit: 'anyone',
    repository: 'anyone',
    skills: 'anyone',
    // Names, and PATH; no other value.
    environment: 'anyone',
    dependencies: 'anyone',
    // It writes into the person's checkout.
    share: 'person',
    kept: 'anyone',
    // With `sweep`, which removes.
    gc: 'person',
    conflicts: 'anyone',
    events: 'anyone',
    typing: 'anyone',
    asked: 'anyone',
    // Refused at this socket, whoever asks.
    tool: 'anyone',
    // Who reads a code can decide with it.
    codes: 'person',
    'stop-daemon': 'not-an-agent',
  };

/**
 * What is asked for, for whoever reads that it was refused. `what` is the command with what it is about; `digest` is of the command
 * and everything that it binds: a one-time code is for that. What has none cannot be had by a code.
 */
export type Asked = {
  readonly authority: Authority;
  readonly intent: string;
  readonly what?: string;
  readonly digest?: string;
};

/** A command of a person's, with what it binds: the hashes of a plan, a commit, a text. */
export function askedByWish(wish: Wish): Asked {
  const fields = wish as unknown as Readonly<Record<string, unknown>>;
  const about = ['run', 'task', 'what', 'session', 'owner', 'service']
    .map((field) => fields[field])
    .find((value) => typeof value === 'string');
  return withDigest(
    {
      authority: authorityOfCommand[wish.type],
      intent: wish.type,
      what: `${wish.type}${about === undefined ? '' : ` ${about}`}`,
    },
    wish,
  );
}

function withDigest(asked: Omit<Asked, 'digest'>, bound: unknown): Asked {
  return {...asked, digest: sha256Of(JSON.stringify(bound))};
}

/** What a question that is no wish needs. `isLive`: whether the session whose ticket is asked for lives; the token of one that has ended opens nothing. */
export function askedBy(
  question: Exclude<Question, {readonly about: 'wish'}>,
  isLive: (session: string) => boolean,
): Asked {
  const {about} = question;
  // What this version does not know is refused by whoever answers.
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
  if (about === 'codes') return {authority, intent: 'read one-time codes'};
  return {authority, intent: about};
}
