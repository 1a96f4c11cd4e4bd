/** An AbortSignal in an agent's context. */
export interface ContextSignal {
  /** `context` if the context is the signal itself, `context.signal` for a field. */
  readonly name: string
  readonly signal: AbortSignal
}

/** Returns the AbortSignals in a context: the context itself, or its own fields. */
export function contextSignals(context: unknown): ContextSignal[] {
  if (context instanceof AbortSignal) return [{ name: 'context', signal: context }]
  if (typeof context !== 'object' || context === null) return []
  return Object.entries(context).flatMap(([key, value]) =>
    value instanceof AbortSignal ? [{ name: `context.${key}`, signal: value }] : [],
  )
}

/** Returns whether the name of a `signal` row names a signal in the context. */
export function isContextSignal(name: string): boolean {
  return name === 'context' || name.startsWith('context.')
}

/** Returns a context with a replaced signal. */
export function withContextSignal(context: unknown, { name, signal }: ContextSignal): unknown {
  if (name === 'context') return signal
  const base: object = typeof context === 'object' && context !== null ? context : {}
  // The context keeps its class and methods; only one field is replaced.
  return Object.create(base, { [name.slice('context.'.length)]: { value: signal, enumerable: true, configurable: true, writable: true } })
}
