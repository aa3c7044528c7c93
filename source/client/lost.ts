/** The connection ended before the answer came. What was asked for may have been done: whoever asked looks again. */
export class Lost extends Error {
  override readonly name = 'Lost';

  constructor() {
    super('the connection to the daemon ended');
  }
}
