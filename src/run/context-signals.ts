/** An AbortSignal in an agent's context. */
export interface ContextSignal {
  /** `context` if the context is the signal itself, `context.signal` for a field. */
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

/** A context with a replaced signal. */
export function withContextSignal(context: unknown, { name, signal }: ContextSignal): unknown {
  if (name === 'context') return signal
  const base: object = typeof context === 'object' && context !== null ? context : {}
  // The context keeps its class and methods; only the one field is replaced.
  return Object.create(base, { [name.slice('context.'.length)]: { value: signal, enumerable: true, configurable: true, writable: true } })
}
