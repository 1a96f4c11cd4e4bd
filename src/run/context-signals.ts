/** An AbortSignal in what an agent is given. */
export interface ContextSignal {
  /** `context` where the context is the signal itself, `context.signal` for a field of it. */
  readonly name: string
  readonly signal: AbortSignal
}

/** The AbortSignals in a context: itself, or its own fields. */
export function contextSignals(context: unknown): ContextSignal[] {
  if (context instanceof AbortSignal) return [{ name: 'context', signal: context }]
  if (typeof context !== 'object' || context === null) return []
  return Object.entries(context).flatMap(([key, value]) =>
    value instanceof AbortSignal ? [{ name: `context.${key}`, signal: value }] : [],
  )
}

/** Whether a `signal` row's name is that of a signal in the context. */
export function isContextSignal(name: string): boolean {
  return name === 'context' || name.startsWith('context.')
}

/** A context with a signal put in its place. */
export function withContextSignal(context: unknown, { name, signal }: ContextSignal): unknown {
  if (name === 'context') return signal
  const base: object = typeof context === 'object' && context !== null ? context : {}
  // The context's own class and methods stay: only the one field is another.
  return Object.create(base, { [name.slice('context.'.length)]: { value: signal, enumerable: true, configurable: true, writable: true } })
}
