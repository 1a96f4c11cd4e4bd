import type { Contact } from '../contact/contact.ts'
import type { Suspect } from './addons.ts'
import type { Sighting } from './sighting.ts'

/** A contact that native code has made. */
export interface NativeContact extends Contact {
  readonly door: 'native'
  /** The packages that can have made it, and what it is: `@boundaryml/baml (10.0.0.7:443)`. */
  readonly host: string
}

/** Describes what native code has open, or has done: a connection, a program. */
export function describeNative(what: Pick<Sighting, 'kind'> & { readonly name?: string }, suspects: readonly Suspect[]): NativeContact {
  const able = suspects.filter(({ network, programs }) => (what.kind === 'child' ? programs : network))
  // A library that an addon has loaded later may have done it.
  const names = (able.length > 0 ? able : suspects).map(({ name }) => name)
  const by = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return { door: 'native', host: what.name === undefined ? by : `${by} (${what.name})` }
}

/** Names what was seen: a peer, or a program. */
export function nameOfSighting(sighting: Sighting): string {
  return sighting.kind === 'child' ? sighting.program : sighting.peer
}
