/** A client's object that an agent received, and how it was obtained. */
export interface Link {
  /** The prefix of its step names: `orders.prepare`. */
  readonly path: string
  /** The arguments of the calls that led to it; undefined if there were none. */
  readonly on: unknown
  /** The object itself; absent if it is answered from a trace. */
  readonly real?: object
  /** The wrapper that the agent has. */
  readonly given: object
  /** The object whose method returned it. */
  readonly parent: Link | undefined
}

/** The origin of a call's result. */
export type Origin = Omit<Link, 'real' | 'given'>

const links = new WeakMap<object, Link>()

/** Remembers the object that a wrapper replaces. */
export function addLink(link: Link): Link {
  links.set(link.given, link)
  return link
}

/** Returns the link of an object that an agent received. */
export function linkOf(value: unknown): Link | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? links.get(value) : undefined
}

/** Returns the objects that led to one, nearest first. */
export function chainOf({ parent }: Origin): readonly Link[] {
  return parent === undefined ? [] : [parent, ...chainOf(parent)]
}
