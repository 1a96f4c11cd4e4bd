/** The oldest Node that has what recording takes hold of. */
const OLDEST = [22, 15] as const

/** What this process runs on, where nothing can be recorded there: `Bun 1.4.5`. Undefined where it can. */
export function otherRuntime({ bun, deno, node }: NodeJS.ProcessVersions = process.versions): string | undefined {
  if (bun !== undefined) return `Bun ${bun}`
  if (deno !== undefined) return `Deno ${deno}`
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]) ? undefined : `Node ${node}`
}

/** Says what follows from it. */
export function sayUnrecorded(runtime: string): string {
  return `goldenrun records on Node ${OLDEST.join('.')} and newer, and this is ${runtime}: agents run unrecorded.`
}
