/** What keeps a run from starting to report; the message says what to change. */
export class CannotReport extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotReport';
  }
}
