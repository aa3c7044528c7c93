import type {DoubtReport, RefusalCode} from '../protocol/index.ts';

/** Said to a client, with what its program can read of it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: {readonly code: RefusalCode; readonly doubt?: DoubtReport};

  constructor(text: string, reason: Refusal['reason']) {
    super(text);
    this.reason = reason;
  }
}
