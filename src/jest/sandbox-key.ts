/** Where a sandbox's `globalThis` keeps what gives goldenrun's modules in it. */
export const sandboxKey: symbol = Symbol.for('goldenrun.jest')

/**
 * Gives one of goldenrun's modules in a sandbox, by the name of its entry (`index`, `replay`, `jest`, …).
 *
 * @param requireHere The sandbox's own `require`: some of what a module needs is of the test that asks for it.
 */
export type RequireInSandbox = (entry: string, requireHere: (name: string) => unknown) => object
