/** The key of the function on a sandbox's `globalThis` that loads goldenrun's modules. */
export const sandboxKey: symbol = Symbol.for('goldenrun.jest')

/**
 * Returns one of goldenrun's modules in a sandbox, by the name of its entry (`index`, `replay`, `jest`, …).
 *
 * @param requireHere The sandbox's own `require`: some dependencies belong to the requesting test.
 */
export type RequireInSandbox = (entry: string, requireHere: (name: string) => unknown) => object
