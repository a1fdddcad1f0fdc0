/** The embedded store cannot be had or does not run. The message is for the person at the terminal: what to change. */
export class EmbeddedStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedStoreError';
  }
}
