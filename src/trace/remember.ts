const mostRemembered = 256

/**
 * Caches the result of `make` for recent texts: an agent calls few addresses many times. Undefined results are not cached.
 */
export function remember<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const result = make(text)
    if (result === undefined) return result
    if (made.size >= mostRemembered) made.clear()
    made.set(text, result)
    return result
  }
}

/** Returns a function that makes a value on its first call: what most processes never need costs nothing when this module loads. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Returns the value of a key in a map; creates and stores it if it is missing. */
export function knownOrMade<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key)
  if (value === undefined) known.set(key, (value = make()))
  return value
}

interface Known<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}
