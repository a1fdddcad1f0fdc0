/** First in, first out, with a bound; what comes when it is full is not taken. */
export class Queue<T> {
  #items: T[] = [];
  /** How many at the front are gone already. */
  #gone = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#items.length - this.#gone;
  }

  get first(): T | undefined {
    return this.#items[this.#gone];
  }

  /** @returns false where it is full */
  add(item: T): boolean {
    if (this.length >= this.#most) return false;
    this.#items.push(item);
    return true;
  }

  dropFirst(): void {
    this.#gone += 1;
    if (this.#gone < 10_000 && this.length > 0) return;
    this.#items = this.#items.slice(this.#gone);
    this.#gone = 0;
  }
}
