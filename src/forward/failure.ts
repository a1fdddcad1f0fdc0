/** What keeps the forwarder from its work, and what a person can do about it. */
export class CannotForward extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotForward';
  }
}
