import {without} from '../../shared/index.ts';
import {formatJournal, unreadForCommands} from '../../reports/index.ts';
import {
  type AskedQuestion,
  type Event,
  type EventBody,
  isListed,
  isSessionId,
  type RepositoryNote,
  type RunRequest,
  selectLiveSessions,
  selectNeeds,
  selectOpenQuestion,
  selectSession,
  selectUnreadTyping,
  type SessionId,
  type State,
  type UserCommand,
  selectRun,
} from '../../domain/index.ts';
import {type Journal, JournalUnavailable} from '../../journal/index.ts';
import type {Kernel} from '../../system/index.ts';
import type {DaemonMessage, Question} from '../../protocol/index.ts';
import type {Checkpoint} from '../../terminal/index.ts';
import {findDriver} from '../../agents/index.ts';
import {inspectRepository, resolveStart} from '../../git/index.ts';
import {readEvents} from '../engine/journal-events.ts';
import {giveFiles} from './give-files.ts';
import {noteSeen} from './person-seen.ts';
import {handleRunRequest} from './run-requests.ts';
import {getCommandRequirement, getQuestionRequirement} from './authority.ts';
import {checkCheckout, checkNames, validateCommand} from './schemas/commands.ts';
import type {Conductor} from '../engine/conductor.ts';
import {reportEnvironment, saveEnvironment} from './environment-requests.ts';
import {answerTyping, explainSession, refuseUnread, reportUsage} from './session-requests.ts';
import {defaultTerminalSize} from '../launch/describe-launch.ts';
import {selectPlanContext} from '../launch/agents-here.ts';
import {gatherFacts} from '../launch/prompt-context.ts';
import {readTerminalSize} from '../sessions/session-screen.ts';
import {checkOpenPlanner} from '../effects/check-planner.ts';
import {refreshBase} from '../effects/run-base.ts';
import {type Client, RejectRequestError, type SocketService} from './service.ts';
import {reportOrphans, reportSessions} from '../sessions/session-report.ts';
import {authorize, isHumanClient, type WriteDown} from './identify-actor.ts';
import type {
  ActorProof,
  DaemonContext,
  RepositoryAccess,
  SessionFiles,
  SessionVariables,
  StateReader,
} from '../daemon-context.ts';

export type RequestHandlerOptions = {
  readonly conductor: Conductor;
  readonly context: DaemonContext;
  readonly journal: Journal;
  readonly kernel: Kernel;
  readonly build: string;
  readonly startedAt: number;
  readonly now: () => number;
  /** The latest events, and how many came before them. */
  readonly past: {readonly before: number; readonly events: readonly Event[]};
  readonly request: (
    session: SessionId,
    cli: ReturnType<SessionVariables['getEnvironment']>,
  ) => void;
  readonly clients: () => number;
  readonly stop: () => void;
};

/** Answers the questions of clients. An error becomes a refusal. */
export function createRequestHandler(options: RequestHandlerOptions): SocketService['answer'] {
  const {conductor, context, journal, kernel, build, startedAt, now, past, clients} = options;
  // Asked once for each connection: the process at its other end does not change.
  const people = new WeakMap<Client, Promise<boolean>>();
  const isPerson = (client: Client): Promise<boolean> => {
    const known = people.get(client) ?? isHumanClient(context, client);
    people.set(client, known);
    return known;
  };

  const writeDown = createWriteDown(options);
  const authorizeQuestion = async (
    question: Exclude<Question, {about: 'wish'}>,
    client: Client,
  ): Promise<void> => {
    const asked = getQuestionRequirement(question, (id) =>
      selectLiveSessions(conductor.state()).some((session) => session.id === id),
    );
    const by = await authorize(context, client, asked, writeDown);
    if (by.kind !== 'agent') return;
    await writeDown('refused', by.session, asked.intent, by.words);
    throw new RejectRequestError(
      `only a person may ${asked.intent}; orchestra recorded that ${by.words ?? by.session} tried`,
      {code: 'agent'},
    );
  };

  return async (question, client, onProgress) => {
    if (question.about !== 'wish') await authorizeQuestion(question, client);
    switch (question.about) {
      case 'wish':
        return handleCommand(options, question, client);
      case 'state':
        return conductor.state() satisfies State;
      case 'sessions':
        return {
          sessions: await reportSessions(context, kernel),
          strangers: await reportOrphans(context, kernel),
        };
      case 'explain':
        return explainSession(context, parseSessionId(question.session), kernel);
      case 'usage':
        return reportUsage(context, question.sessions, kernel);
      case 'ticket':
        return createTicket(context, parseSessionId(question.session), question);
      case 'services':
        return conductor.state().services.filter(isListed);
      case 'facts':
        return gatherFacts(context, kernel);
      case 'events': {
        const {from} = question;
        // Older events are read from the journal. Both are read synchronously, so that no event
        // comes in between.
        const held = past.events.slice(Math.max(0, from - past.before));
        const older = from < past.before ? readEvents(context).slice(from, past.before) : [];
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
        const {trustsServices, distrust} = await context.origins();
        return {
          pid: process.pid,
          build,
          since: startedAt,
          at: now(),
          root: context.root,
          clients: clients(),
          sessions: selectLiveSessions(conductor.state()).length,
          needs: selectNeeds(conductor.state()).length,
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
        return handleRunRequest(context, question, () => isPerson(client), onProgress);
      case 'environment':
        return reportEnvironment(context, question.of, question.env);
      case 'repository':
        checkCheckout(question.checkout, context.workspace().commonDirectory);
        return repositoryNotes({...context.workspace(), root: question.checkout ?? context.root});
      case 'typing':
        return answerTyping(context, parseSessionId(question.session), kernel);
      case 'give-files':
        return giveFiles(context, parseSessionId(question.session), question);
      case 'asked':
        return selectAsked(conductor.state(), parseSessionId(question.session));
      case 'tool':
        throw new Error('tools are for agents and have their own socket');
      case 'codes':
        return {codes: context.codes.list()};
      case 'stop-daemon':
        options.stop();
        return {stopping: true};
    }
  };
}

/** A request is rejected even if that cannot be journaled because the disk is full. */
function createWriteDown({conductor, now, context}: RequestHandlerOptions): WriteDown {
  return async (kind, session, intent, text) => {
    const saw = {
      type: kind === 'refused' ? 'intrusion-refused' : 'command-noted',
      session,
      intent,
      ...(text !== undefined && {words: text}),
    } as const;
    await conductor.submit({type: 'report', at: now(), saw}).catch((error: unknown) => {
      context.log(`not recorded: ${String(error)}`);
    });
  };
}

/** Throws if a person's command cannot have an effect now. */
async function checkAnswerable(
  {conductor, context, kernel}: RequestHandlerOptions,
  command: UserCommand,
): Promise<void> {
  if (command.type === 'approve-plan') await checkOpenPlanner(context, conductor, command.run);
  if (command.type === 'send-input') await refuseUnread(context, command.session, kernel);
}

async function handleCommand(
  options: RequestHandlerOptions,
  {wish, env, size}: Extract<Question, {about: 'wish'}>,
  client: Client,
): Promise<{readonly events: readonly Event[]}> {
  const {conductor, context, journal, request, now} = options;
  const journalProblem = formatJournal(await journal.check());
  if (journalProblem !== undefined) throw new Error(journalProblem);
  try {
    const checked = validateCommand(wish);
    const edited =
      checked.type === 'edit-plan' ? selectRun(context.state(), checked.run) : undefined;
    if (checked.type === 'edit-plan' && edited !== undefined)
      checkNames(checked.plan, selectPlanContext(context, edited));
    if (checked.type === 'start-run') await checkRequest(context, checked.request);
    if (checked.type === 'approve-plan') await refreshBase(context, conductor, checked.run);
    const asked = getCommandRequirement(checked);
    const by = await authorize(context, client, asked, createWriteDown(options));
    // For `anyone`, the client was not identified.
    if (by.kind === 'person' && asked.authority !== 'anyone' && client.isTyped === true)
      noteSeen(context);
    // An agent is refused whatever it asks for, and that is recorded; nothing may come before it.
    if (by.kind === 'person') await checkAnswerable(options, checked);
    const saved = saveEnvironment(context, checked, env);
    let requested: SessionId | undefined;
    const prepare = (decided: readonly EventBody[]): void => {
      const asked = decided.find((event) => event.type === 'session-asked');
      if (env === undefined) return;
      if (asked?.purpose.for === 'person') {
        request(asked.session, {env, size: size ?? defaultTerminalSize});
        requested = asked.session;
      }

      const service = serviceIn(checked);
      if (service !== undefined) context.serviceEnvironments.keep(service, env);
    };

    const {events, refused} = await conductor
      .submit({...withUsualMode(context, saved.wish), at: now(), by}, prepare)
      .catch((error: unknown) => {
        // The session was not journaled, so another one will get its id.
        if (requested !== undefined) context.releaseEnvironment(requested);
        throw error;
      })
      .finally(saved.release);
    if (refused !== undefined)
      throw by.kind === 'agent'
        ? new RejectRequestError(refused, {code: 'agent'})
        : new Error(refused);
    for (const event of events)
      if (event.type === 'intrusion-seen') dropCodes(context, event.number);
    return {events};
  } catch (error) {
    if (error instanceof JournalUnavailable)
      throw new Error(formatJournal(journal.status()) ?? `nothing was changed: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

/** An agent that is opened without a plan works in its own interface, if it has one. */
function withUsualMode({state}: StateReader, command: UserCommand): UserCommand {
  if (command.type !== 'start-run') return command;
  const {request} = command;
  if (request.open === undefined || request.workers !== undefined) return command;
  const found = findDriver(request.worker, state().project.agents ?? []);
  return 'refused' in found || found.driver.interactive === undefined
    ? command
    : {...command, request: {...request, workers: 'interactive'}};
}

/** Refuses a run that could not start, while the person still sees it. */
async function checkRequest(
  {workspace, root}: RepositoryAccess,
  {checkout, open}: RunRequest,
): Promise<void> {
  checkCheckout(checkout, workspace().commonDirectory);
  if (open !== undefined) await resolveStart({...workspace(), root: checkout ?? root}, open);
}

/** The service that a person starts from a shell; it gets that shell's environment. */
function serviceIn(command: UserCommand): string | undefined {
  if (command.type === 'declare-service') return command.spec.name;
  return command.type === 'start-service' || command.type === 'restart-service'
    ? command.service
    : undefined;
}

/** A person who acknowledges an intrusion did not give out the code, and will not. */
function dropCodes({state, codes}: StateReader & Pick<ActorProof, 'codes'>, number: number): void {
  const seen = state().intrusions.find((one) => one.number === number);
  if (seen !== undefined) codes.refuse(seen.intent);
}

/** The open question of a session to a person. */
function selectAsked(state: State, id: SessionId): {readonly asked?: AskedQuestion} {
  const session = selectSession(state, id);
  const asked = session === undefined ? undefined : selectOpenQuestion(session);
  return asked === undefined ? {} : {asked};
}

type Ticket = {
  readonly socket: string;
  readonly token: string;
  readonly directory: string;
  readonly isLive: boolean;
  readonly screen?: Checkpoint;
  /** Why no program reads input to this session, unless it asks for some. */
  readonly unread?: string;
};

/**
 * What a client needs to talk to the keeper directly, so that a busy daemon does not slow it down.
 * Includes the current screen.
 */
function createTicket(
  {state, store}: StateReader & SessionFiles,
  id: SessionId,
  {size, own, read}: Pick<Extract<Question, {about: 'ticket'}>, 'size' | 'own' | 'read'>,
): Ticket {
  const session = selectSession(state(), id);
  const launch = store.launchOf(id);
  if (session === undefined || launch === undefined) throw new Error(`there is no session ${id}`);
  const isLive = session.life.at !== 'exited' && session.life.at !== 'lost';
  const directory = store.directoryOf(id);
  if (read === true) return {socket: '', token: '', directory, isLive};
  const unread = selectUnreadTyping(state(), without(session, 'waiting'));
  const current = readTerminalSize(store, id);
  return {
    socket: launch.socket,
    token: launch.token,
    directory,
    isLive,
    ...(isLive && unread !== undefined && {unread: unreadForCommands(state(), session, unread)}),
    ...(isLive &&
      size !== undefined && {
        screen: store.screens.picture(directory, current, own === true ? current : size),
      }),
  };
}

/** Errors are ignored here: a repository that cannot have runs reports that when one is started. */
async function repositoryNotes(
  workspace: ReturnType<RepositoryAccess['workspace']>,
): Promise<{readonly notes: readonly RepositoryNote[]}> {
  const {notes} = await inspectRepository(workspace).catch(() => ({notes: []}));
  return {notes};
}

function parseSessionId(text: string): SessionId {
  if (!isSessionId(text))
    throw new Error(`expected a session such as s7, got ${JSON.stringify(text.slice(0, 60))}`);
  return text;
}
