import type { Runtime } from '../trace/run-row.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'

/** Where this process runs, for a trace's header. Of the environment only the named variables are kept, those that are not set as that. */
export function currentRuntime(environment: readonly string[]): Runtime {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  const env = environment.map((name) => [name, process.env[name] ?? null] as const)
  return { node: process.versions.node, goldenrun: GOLDENRUN_VERSION, timeZone, locale, env: Object.fromEntries(env) }
}
