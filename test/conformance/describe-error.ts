/** What a program can tell an error by: its kind, its words, its codes, and the same of its causes. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: String(error) }
  const { name, message, cause } = error
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...('type' in error ? { type: error.type } : {}),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}
