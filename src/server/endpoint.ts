/** Who asks at an endpoint beside the graph: known by then. */
export interface EndpointCaller {
  /** The body of the request. */
  readonly text: string;
  /** Asks the graph in the caller's name: with the headers of this request, from the same peer. */
  readonly ask: (body: object, signal?: AbortSignal) => Promise<Response>;
  /** Counts a request that does not ask the graph. Throws Refusal THROTTLED. */
  readonly count: () => Promise<void>;
}

/** Something beside the graph that answers in its terms. May throw Refusal. */
export type Endpoint = (request: Request, caller: EndpointCaller) => Promise<Response>;
