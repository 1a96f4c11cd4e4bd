/**
 * Calls `read` once, when a property of an object is read for the first time. The object stays the same; its properties become accessors until then.
 *
 * @returns Whether it can be told: not of an object whose properties cannot be changed.
 */
export function onFirstRead(object: object, read: () => void): boolean {
  const own = Object.getOwnPropertyDescriptors(object)
  const names = Object.keys(own)
  if (names.length === 0 || !Object.values(own).every(({ configurable }) => configurable)) return false
  const restore = (): void => {
    Object.defineProperties(object, own)
    read()
  }
  for (const name of names) {
    Object.defineProperty(object, name, {
      configurable: true,
      enumerable: own[name]?.enumerable ?? true,
      get: () => (restore(), Reflect.get(object, name)),
      set(value: unknown) {
        restore()
        Reflect.set(object, name, value)
      },
    })
  }
  return true
}
