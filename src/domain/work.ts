/** Arguments of a field, as its resolver would see them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a document asks under one name: of how many objects, and which parts of it. Loaders read it once for all of them. */
export interface Asked {
  readonly times: number;
  readonly parts: ReadonlySet<string>;
}

/** What is read by one field, for one object above it. */
export interface Reading {
  /** The name that loaders share: two fields that read the same have one. */
  readonly as: string;
  readonly times?: number;
  readonly parts?: Iterable<string>;
}

/** What a field means for the stores. */
export interface Weight {
  /** So many objects below for one above. */
  readonly times?: (args: Arguments) => number;
  /** @param selected  names of the fields below */
  readonly reads?: (args: Arguments, selected: ReadonlySet<string>) => readonly Reading[];
  /** What lies below is read in a place of its own, which the arguments name. */
  readonly isPlace?: true;
}

/** By `Type.field`. A field that is not there passes on what lies below it. */
export type Weights = Readonly<Record<string, Weight>>;

/** A place, and all that a document asks there. */
export interface Place {
  /** `Type.field` */
  readonly coordinate: string;
  readonly args: Arguments;
  readonly asked: ReadonlyMap<string, Asked>;
}
