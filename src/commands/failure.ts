/** A command line that gpuql does not understand; the message says what exists. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(`${message}\nTry gpuql help.`);
    this.name = 'WrongUsage';
  }
}

/** What keeps a command from doing its work, and what a person can do about it. */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotStart';
  }
}
