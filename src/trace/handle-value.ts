/** The recorded parts of an object with methods that a client returned: a statement, a pipeline, a connection, a result with functions in it. */
export interface HandleParts {
  /** The name of its class; empty if it has none. */
  readonly class: string
  readonly methods: readonly string[]
  /** Fields that a getter of its class reads. */
  readonly accessors: readonly string[]
  /** Whether and how its items can be iterated. */
  readonly iterates?: 'iterator' | 'asyncIterator'
  /** Whether it is a function itself. */
  readonly isFunction?: true
  /** Its own fields. A field that could not be kept is an `UnkeptValue`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Represents an object with methods in a revived value. */
export class HandleValue {
  /** A number counts the calls up the chain at which the object was returned or called: 0 is the object whose method returned it. */
  readonly parts: HandleParts | number

  constructor(parts: HandleParts | number) {
    this.parts = parts
  }
}
