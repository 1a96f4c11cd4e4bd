/** The oldest Node version that supports recording. */
const OLDEST = [22, 15] as const

/** The same version, as messages name it. */
export const OLDEST_NODE: string = OLDEST.join('.')

/** Returns this process's runtime if it does not support recording: `Bun 1.4.5`. Undefined if it does. */
export function otherRuntime({ bun, deno, node }: NodeJS.ProcessVersions = process.versions): string | undefined {
  if (bun !== undefined) return `Bun ${bun}`
  if (deno !== undefined) return `Deno ${deno}`
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]) ? undefined : `Node ${node}`
}

/** Returns the message for such a runtime. */
export function sayUnrecorded(runtime: string): string {
  return `goldenrun records on Node ${OLDEST_NODE} or newer, but this is ${runtime}: agents run unrecorded.`
}
