import type {SessionId} from '../../../source/domain/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import type {OpenPane, PaneListeners} from '../../../source/app/app-contract.ts';

/** Fake sessions that print given output and record input and sizes. */
export type Sources = {
  readonly openPane: OpenPane;
  readonly print: (session: SessionId, text: string) => void;
  readonly end: (session: SessionId, text: string) => void;
  /** The input, one entry for each write. */
  readonly typed: (session: SessionId) => readonly string[];
  readonly sizes: (session: SessionId) => readonly Size[];
  /** The sizes without those that it was opened with. */
  readonly resizes: (session: SessionId) => readonly Size[];
  /** The session is opened in a size of its own, and keeps it until `resized`. */
  readonly own: (session: SessionId, size: Size) => void;
  readonly resized: (session: SessionId, size: Size) => void;
  readonly replies: readonly string[];
  /** Those that are connected now, and how often one was opened. */
  readonly open: () => readonly SessionId[];
  readonly openings: () => number;
  readonly refuse: (text: string | undefined) => void;
};

export function createSources(snapshots: Readonly<Record<string, string>> = {}): Sources {
  const live = new Map<SessionId, PaneListeners>();
  const ownSizes = new Map<SessionId, Size>();
  const resizes = new Map<SessionId, Size[]>();
  const typed = new Map<SessionId, string[]>();
  const sizes = new Map<SessionId, Size[]>();
  const replies: string[] = [];
  let openings = 0;
  let refusal: string | undefined;
  return {
    openPane(session, size, on) {
      openings++;
      if (refusal !== undefined) return Promise.reject(new Error(refusal));
      live.set(session, on);
      const ownSize = ownSizes.get(session);
      sizes.set(session, [...(sizes.get(session) ?? []), size]);
      return Promise.resolve({
        snapshot: new TextEncoder().encode(snapshots[session] ?? ''),
        write: (bytes) =>
          typed.set(session, [...(typed.get(session) ?? []), new TextDecoder().decode(bytes)]),
        ...(ownSize !== undefined && {size: ownSize}),
        resize: (next) => {
          sizes.set(session, [...(sizes.get(session) ?? []), next]);
          resizes.set(session, [...(resizes.get(session) ?? []), next]);
        },
        reply: (bytes) => replies.push(new TextDecoder().decode(bytes)),
        close: () => {
          if (live.get(session) === on) live.delete(session);
        },
      });
    },
    print: (session, text) => live.get(session)?.bytes(new TextEncoder().encode(text)),
    end: (session, text) => live.get(session)?.ended(text),
    typed: (session) => typed.get(session) ?? [],
    sizes: (session) => sizes.get(session) ?? [],
    resizes: (session) => resizes.get(session) ?? [],
    own: (session, size) => ownSizes.set(session, size),
    resized: (session, size) => live.get(session)?.resized(size),
    replies,
    open: () => [...live.keys()].sort(),
    openings: () => openings,
    refuse(text) {
      refusal = text;
    },
  };
}

/** Lets pending promises and immediates run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
