import {Buffer} from 'node:buffer';
import type {DaemonConnection} from '../../../../source/client/index.ts';
import {connectKeeper} from '../../../../source/keeper/index.ts';
import {
  type Need,
  selectNeeds,
  selectSession,
  type Session,
  type SessionId,
  type State,
  type UserCommand,
} from '../../../../source/domain/index.ts';
import type {LoopFixture} from './loop-fixture.ts';
import {isPromptOf, notedBy, readNoted} from './three-conversations.ts';

/** How long the agent's own record must not change before the person believes it. */
const lookMs = 1500;

/** How often the person did what. */
export type Answers = {
  /** The prompt had arrived, so nothing was typed. */
  arrived: number;
  /** The text stood in the agent's input; only Enter was missing. */
  entered: number;
  /** Nothing had arrived, so it was sent again. */
  sent: number;
  granted: number;
  resumed: number;
};

export type AnsweringPerson = {
  readonly answers: Answers;
  readonly acts: (state: State, daemon: DaemonConnection) => Promise<boolean>;
};

/** A person who looks at an agent before typing anything again, and lets stopped tasks go on. */
export function createAnsweringPerson(fixture: LoopFixture): AnsweringPerson {
  const answers: Answers = {arrived: 0, entered: 0, sent: 0, granted: 0, resumed: 0};
  const seen = new Map<string, {readonly record: string; readonly at: number}>();
  const done = new Set<string>();

  const give = async (daemon: DaemonConnection, command: UserCommand): Promise<void> => {
    await daemon.ask({about: 'wish', wish: command});
  };

  /** Whether the record of the session has been the same for a while. */
  const isSettled = (id: string, record: string): boolean => {
    const before = seen.get(id);
    if (before?.record !== record) seen.set(id, {record, at: performance.now()});
    return before?.record === record && performance.now() - before.at >= lookMs;
  };

  const answerUncertain = async (
    need: Extract<Need, {readonly kind: 'uncertain-input'}>,
    session: Session,
    daemon: DaemonConnection,
  ): Promise<boolean> => {
    const input = session.inputs.findLast(({fate}) => fate === 'uncertain');
    const file = input?.prompt;
    const noted = notedBy(readNoted(fixture), session.id);
    if (input === undefined || file === undefined || !isSettled(need.id, JSON.stringify(noted)))
      return false;
    if (noted.some(({prompt}) => prompt !== undefined && isPromptOf(file, prompt))) {
      if (!done.has(need.id)) answers.arrived++;
      done.add(need.id);
      return false;
    }

    seen.delete(need.id);
    const last = noted.at(-1)?.draft;
    if (last !== undefined && isPromptOf(file, last)) {
      await press(daemon, session.id, '\r');
      answers.entered++;
      return true;
    }

    await give(daemon, {
      type: 'send-input',
      session: session.id,
      text: `Read the file ${file} and do what it says.\r`,
    });
    answers.sent++;
    return true;
  };

  return {
    answers,
    acts: async (state, daemon) => {
      for (const need of selectNeeds(state)) {
        if (need.kind === 'stopped') {
          await give(daemon, {type: 'grant-attempt', task: need.task});
          answers.granted++;
          return true;
        }

        if (need.kind === 'trouble') {
          await give(daemon, {type: 'resume', what: need.owner});
          answers.resumed++;
          return true;
        }

        const session = 'session' in need ? selectSession(state, need.session) : undefined;
        if (session === undefined) continue;
        if (need.kind === 'draft' && isSettled(need.id, '')) {
          seen.delete(need.id);
          await press(daemon, session.id, '\r');
          answers.entered++;
          return true;
        }

        if (need.kind === 'uncertain-input' && (await answerUncertain(need, session, daemon)))
          return true;
      }

      return false;
    },
  };
}

/** A key of the person, as in `orchestra attach`. */
async function press(daemon: DaemonConnection, session: SessionId, keys: string): Promise<void> {
  const ticket = (await daemon.ask({about: 'ticket', session})) as {
    readonly socket: string;
    readonly token: string;
  };
  const link = await connectKeeper(ticket, {}).catch(() => undefined);
  link?.press(Buffer.from(keys));
  // The answer shows that the key was read.
  await link?.ask({type: 'status'}).catch(() => undefined);
  link?.close();
}
