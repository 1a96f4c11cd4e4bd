/** A function of Node or of the global object that a test or another package has replaced since goldenrun was loaded. */
export interface OverriddenFunction {
  /** `globalThis.fetch`, `Math.random` */
  readonly name: string
  /** Whether it gives values (a time, a random number) rather than makes calls. */
  readonly isRead: boolean
}
