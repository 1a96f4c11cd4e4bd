/** Remembers digests of values that never change, by identity: the messages of a trace's conversations are shared by its rows. */
export interface DigestMemo {
  /** Of objects in arrays. */
  readonly items: WeakMap<object, string>
  /** Of arrays, by their items. */
  readonly chain: ChainLink
}

/** The digest of an array's first items. */
export interface ChainLink {
  readonly digest: string
  /** The link with one item more, computed when it is first asked for. */
  next(item: unknown, digest: () => string): ChainLink
}

/** A memo that knows nothing yet. */
export function createDigestMemo(): DigestMemo {
  return { items: new WeakMap(), chain: createLink('') }
}

function createLink(digest: string): ChainLink {
  const afterObjects = new WeakMap<object, ChainLink>()
  const afterPrimitives = new Map<unknown, ChainLink>()
  return {
    digest,
    next(item, digestNext) {
      const isObject = typeof item === 'object' && item !== null
      const known = isObject ? afterObjects.get(item) : afterPrimitives.get(item)
      if (known !== undefined) return known
      const link = createLink(digestNext())
      if (isObject) afterObjects.set(item, link)
      else afterPrimitives.set(item, link)
      return link
    },
  }
}
