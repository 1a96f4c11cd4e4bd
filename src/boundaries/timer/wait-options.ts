/** The options of a promised timer. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether it keeps the process alive. Default: true. */
  readonly ref?: boolean | undefined
}

/** Whether Node accepts these arguments of a promised timer. */
export function isWaitAccepted(delay: unknown, options: unknown): boolean {
  if (delay !== undefined && typeof delay !== 'number') return false
  if (options === undefined) return true
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const { signal, ref } = options as { readonly signal?: unknown; readonly ref?: unknown }
  return (ref === undefined || typeof ref === 'boolean') && (signal === undefined || isSignal(signal))
}

/** As in Node: any object with an `aborted` property. */
function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'aborted' in value
}
