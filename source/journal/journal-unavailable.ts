/** The append was not acknowledged and its seq is not used up. No reader will ever see a part of it. */
export class JournalUnavailable extends Error {
  constructor(reason: string) {
    super(`The journal did not take the record: ${reason}`);
    this.name = 'JournalUnavailable';
  }
}
