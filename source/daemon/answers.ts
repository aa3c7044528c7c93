import {without} from '../base/index.ts';
import {journalInWords, unreadForCommands} from '../documents/index.ts';
import type {
  AskedQuestion,
  Event,
  Happening,
  RepositoryNote,
  SessionId,
  State,
  Wish,
} from '../domain/index.ts';
import {
  isListed,
  isSessionId,
  liveSessionsOf,
  needsOf,
  openQuestionOf,
  sessionOf,
  unreadTyping,
} from '../domain/index.ts';
import {JournalUnavailable, type Journal} from '../journal/index.ts';
import type {Kernel} from '../machine/index.ts';
import type {DaemonMessage, Question} from '../protocol/index.ts';
import type {Checkpoint} from '../terminal/index.ts';
import {surveyRepository} from '../workspace/index.ts';
import {answerLoop, noteSeen, readEvents} from './answer-loop.ts';
import {askedBy, askedByWish} from './authority.ts';
import {checkCheckout} from './check-checkout.ts';
import {checkWish} from './check-wish.ts';
import type {Conductor} from './conductor.ts';
import {keepEnvironment, reportEnvironment} from './answer-environment.ts';
import {explainSession} from './explain-session.ts';
import {gatherFacts} from './gather-facts.ts';
import {sizeOf} from './read-screen.ts';
import {renewGround} from './renew-ground.ts';
import {Refusal} from './refusal.ts';
import {reportUsage} from './report-usage.ts';
import {answerTyping, refuseUnread} from './answer-typing.ts';
import type {Client, Service} from './serve.ts';
import {reportSessions, reportStrangers} from './session-report.ts';
import {authorize, isPersonHere, type WriteDown} from './who-speaks.ts';
import type {Workshop} from './workshop.ts';

export type AnswersOptions = {
  readonly conductor: Conductor;
  readonly workshop: Workshop;
  readonly journal: Journal;
  readonly kernel: Kernel;
  readonly build: string;
  readonly startedAt: number;
  readonly now: () => number;
  /** Every event since this daemon began, and how many came before. */
  readonly past: {readonly before: number; readonly events: readonly Event[]};
  readonly request: (
    session: SessionId,
    surroundings: ReturnType<Workshop['surroundingsOf']>,
  ) => void;
  readonly clients: () => number;
  readonly stop: () => void;
};

/** Answers what clients ask. What it throws is said to the client as a refusal. */
export function createAnswers(options: AnswersOptions): Service['answer'] {
  const {conductor, workshop, journal, kernel, build, startedAt, now, past, clients} = options;
  // A connection has one other end; it is looked at once.
  const people = new WeakMap<Client, Promise<boolean>>();
  const isPerson = (client: Client): Promise<boolean> => {
    const known = people.get(client) ?? isPersonHere(workshop, client);
    people.set(client, known);
    return known;
  };

  const writeDown = createWriteDown(options);
  const authorizeQuestion = async (
    question: Exclude<Question, {about: 'wish'}>,
    client: Client,
  ): Promise<void> => {
    const asked = askedBy(question, (id) =>
      liveSessionsOf(conductor.state()).some((session) => session.id === id),
    );
    const by = await authorize(workshop, client, asked, writeDown);
    if (by.kind !== 'agent') return;
    await writeDown('refused', by.session, asked.intent, by.words);
    throw new Refusal(
      `only a person may ${asked.intent}; that ${by.words ?? by.session} tried is written down`,
      {code: 'agent'},
    );
  };

  return async (question, client, onProgress) => {
    if (question.about !== 'wish') await authorizeQuestion(question, client);
    switch (question.about) {
      case 'wish':
        return answerWish(options, question, client);
      case 'state':
        return conductor.state() satisfies State;
      case 'sessions':
        return {
          sessions: await reportSessions(workshop, kernel),
          strangers: await reportStrangers(workshop, kernel),
        };
      case 'explain':
        return explainSession(workshop, idOf(question.session), kernel);
      case 'usage':
        return reportUsage(workshop, question.sessions, kernel);
      case 'ticket':
        return ticketFor(workshop, idOf(question.session), question);
      case 'services':
        return conductor.state().services.filter(isListed);
      case 'facts':
        return gatherFacts(workshop, kernel);
      case 'events': {
        const {from} = question;
        // What is held no longer is in the journal; both are read in one go, so that nothing comes in between.
        const held = past.events.slice(Math.max(0, from - past.before));
        const older = from < past.before ? readEvents(workshop).slice(from, past.before) : [];
        const facts = [...older, ...held].map((event, index): DaemonMessage => ({
          type: 'fact',
          seq: from + index + 1,
          event,
        }));
        client.follow(
          journal.status().mode === 'writing'
            ? facts
            : [...facts, {type: 'journal', ...journal.status()}],
        );
        return {from};
      }

      case 'daemon': {
        await journal.check();
        const {trustsServices, distrust} = await workshop.origins();
        return {
          pid: process.pid,
          build,
          since: startedAt,
          at: now(),
          root: workshop.root,
          clients: clients(),
          sessions: liveSessionsOf(conductor.state()).length,
          needs: needsOf(conductor.state()).length,
          journal: {events: conductor.state().seq, ...journal.status()},
          trust: {services: trustsServices, ...(distrust !== undefined && {why: distrust})},
        };
      }

      case 'explanation':
      case 'diff':
      case 'timeline':
      case 'brief':
      case 'seen':
      case 'recall':
      case 'audit':
      case 'skills':
      case 'dependencies':
      case 'share':
      case 'kept':
      case 'gc':
      case 'conflicts':
        return answerLoop(workshop, question, () => isPerson(client), onProgress);
      case 'environment':
        return reportEnvironment(workshop, question.of, question.env);
      case 'repository':
        checkCheckout(question.checkout, workshop.workspace().commonDirectory);
        return repositoryNotes({...workshop.workspace(), root: question.checkout ?? workshop.root});
      case 'typing':
        return answerTyping(workshop, idOf(question.session), kernel);
      case 'asked':
        return askedOf(conductor.state(), idOf(question.session));
      case 'tool':
        throw new Error('tools are for agents, and have a socket of their own');
      case 'codes':
        return {codes: workshop.codes.list()};
      case 'stop-daemon':
        options.stop();
        return {stopping: true};
    }
  };
}

/** Whoever writes nothing down because the disk is full still refuses. */
function createWriteDown({conductor, now, workshop}: AnswersOptions): WriteDown {
  return async (kind, session, intent, words) => {
    const saw = {
      type: kind === 'refused' ? 'intrusion-refused' : 'command-noted',
      session,
      intent,
      ...(words !== undefined && {words}),
    } as const;
    await conductor.submit({type: 'report', at: now(), saw}).catch((error: unknown) => {
      workshop.log(`not written down: ${String(error)}`);
    });
  };
}

async function answerWish(
  options: AnswersOptions,
  {wish, env, size}: Extract<Question, {about: 'wish'}>,
  client: Client,
): Promise<{readonly events: readonly Event[]}> {
  const {conductor, workshop, journal, request, now} = options;
  const inTheWay = journalInWords(await journal.check());
  if (inTheWay !== undefined) throw new Error(inTheWay);
  try {
    const checked = checkWish(wish);
    if (checked.type === 'start-run')
      checkCheckout(checked.request.checkout, workshop.workspace().commonDirectory);
    if (checked.type === 'approve-plan') await renewGround(workshop, conductor, checked.run);
    const asked = askedByWish(checked);
    const by = await authorize(workshop, client, asked, createWriteDown(options));
    // Of what anybody may ask nobody looked who it is.
    if (by.kind === 'person' && asked.authority !== 'anyone' && client.isTyped === true)
      noteSeen(workshop);
    if (checked.type === 'send-input')
      await refuseUnread(workshop, checked.session, options.kernel);
    const kept = keepEnvironment(workshop, checked, env);
    let requested: SessionId | undefined;
    const prepare = (decided: readonly Happening[]): void => {
      const asked = decided.find((event) => event.type === 'session-asked');
      if (env === undefined) return;
      if (asked?.purpose.for === 'person') {
        request(asked.session, {env, size: size ?? {columns: 120, rows: 40}});
        requested = asked.session;
      }

      const service = serviceIn(checked);
      if (service !== undefined) workshop.serviceEnvironments.keep(service, env);
    };

    const {events, refused} = await conductor
      .submit({...kept.wish, at: now(), by}, prepare)
      .catch((error: unknown) => {
        // It was not written down: the next session of that number is another one.
        if (requested !== undefined) workshop.releaseSurroundings(requested);
        throw error;
      })
      .finally(kept.release);
    if (refused !== undefined)
      throw by.kind === 'agent' ? new Refusal(refused, {code: 'agent'}) : new Error(refused);
    for (const event of events)
      if (event.type === 'intrusion-seen') dropCodes(workshop, event.number);
    return {events};
  } catch (error) {
    if (error instanceof JournalUnavailable)
      throw new Error(journalInWords(journal.status()) ?? `nothing was changed: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

/** The service that a person starts from their own shell: it gets what that has. */
function serviceIn(wish: Wish): string | undefined {
  if (wish.type === 'declare-service') return wish.spec.name;
  return wish.type === 'start-service' || wish.type === 'restart-service'
    ? wish.service
    : undefined;
}

/** Who has seen that somebody tried has not given them the code, and will not. */
function dropCodes({state, codes}: Workshop, number: number): void {
  const seen = state().intrusions.find((one) => one.number === number);
  if (seen !== undefined) codes.refuse(seen.intent);
}

/** The question that the session has put to a person and that nobody has answered yet. */
function askedOf(state: State, id: SessionId): {readonly asked?: AskedQuestion} {
  const session = sessionOf(state, id);
  const asked = session === undefined ? undefined : openQuestionOf(session);
  return asked === undefined ? {} : {asked};
}

type Ticket = {
  readonly socket: string;
  readonly token: string;
  readonly directory: string;
  readonly isLive: boolean;
  readonly screen?: Checkpoint;
  /** Why nobody reads what is typed into it, unless it asks. */ readonly unread?: string;
};

/** What a client needs to talk to the keeper itself: a busy daemon can then not be felt. The screen is drawn here, where all that it takes is loaded. */
function ticketFor(
  {state, store}: Workshop,
  id: SessionId,
  {size, read}: Pick<Extract<Question, {about: 'ticket'}>, 'size' | 'read'>,
): Ticket {
  const session = sessionOf(state(), id);
  const launch = store.launchOf(id);
  if (session === undefined || launch === undefined) throw new Error(`there is no session ${id}`);
  const isLive = session.life.at !== 'exited' && session.life.at !== 'lost';
  const directory = store.directoryOf(id);
  if (read === true) return {socket: '', token: '', directory, isLive};
  const unread = unreadTyping(state(), without(session, 'waiting'));
  return {
    socket: launch.socket,
    token: launch.token,
    directory,
    isLive,
    ...(isLive && unread !== undefined && {unread: unreadForCommands(state(), session, unread)}),
    ...(isLive &&
      size !== undefined && {screen: store.screens.picture(directory, sizeOf(store, id), size)}),
  };
}

/** A repository that no run can begin in says so when one is asked for. */
async function repositoryNotes(
  workspace: ReturnType<Workshop['workspace']>,
): Promise<{readonly notes: readonly RepositoryNote[]}> {
  const {notes} = await surveyRepository(workspace).catch(() => ({notes: []}));
  return {notes};
}

function idOf(text: string): SessionId {
  if (!isSessionId(text))
    throw new Error(`expected a session such as s7, got ${JSON.stringify(text.slice(0, 60))}`);
  return text;
}
