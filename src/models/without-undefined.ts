/** The fields of `T`, of which the optional ones may be given as undefined. */
export type Given<T> = { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** A `T` without the optional fields that are undefined. */
export function withoutUndefined<T extends object>(fields: Given<T>): T {
  const given: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) {
    const value: unknown = Reflect.get(fields, key)
    if (value !== undefined) given[key] = value
  }
  return given as T
}
