/** An object of a client that an agent was handed, and how it was come by. */
export interface Link {
  /** What the names of its steps begin with: `orders.prepare`. */
  readonly path: string
  /** What the calls that led to it were made with; undefined where that was nothing. */
  readonly on: unknown
  /** The object itself; absent where it is answered from a trace. */
  readonly real?: object
  /** What the agent has in its place. */
  readonly given: object
  /** The object whose method gave it. */
  readonly parent: Link | undefined
}

/** Of what a call gives: where it comes from. */
export type Origin = Omit<Link, 'real' | 'given'>

const links = new WeakMap<object, Link>()

/** Remembers whose place an object takes. */
export function addLink(link: Link): Link {
  links.set(link.given, link)
  return link
}

/** What is known of an object that an agent was handed. */
export function linkOf(value: unknown): Link | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? links.get(value) : undefined
}

/** The objects that led to one, the nearest first. */
export function chainOf({ parent }: Origin): readonly Link[] {
  return parent === undefined ? [] : [parent, ...chainOf(parent)]
}
