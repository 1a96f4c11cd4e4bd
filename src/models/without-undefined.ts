/** The fields of `T`, of which the optional ones may be given as undefined. */
export type Given<T> = { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** A `T` without the optional fields that are undefined. */
export function withoutUndefined<T extends object>(fields: Given<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
