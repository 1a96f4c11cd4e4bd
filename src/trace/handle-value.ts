/** What a trace keeps of an object with methods that a client gave: a statement, a pipeline, a connection, a result with functions in it. */
export interface HandleParts {
  /** The name of its class; empty where it has none. */
  readonly class: string
  readonly methods: readonly string[]
  /** Fields that are read by a method of its class. */
  readonly accessors: readonly string[]
  /** Whether its pieces are read one after the other, and how. */
  readonly iterates?: 'iterator' | 'asyncIterator'
  /** Whether it is a function itself. */
  readonly isFunction?: true
  /** Its own fields. One that could not be kept is an `UnkeptValue`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Stands in a revived value for an object with methods. */
export class HandleValue {
  /** A number is how many calls up the chain the object was given or called: 0 is the one whose method gave it. */
  readonly parts: HandleParts | number

  constructor(parts: HandleParts | number) {
    this.parts = parts
  }
}
