import type { Runtime } from '../trace/run-row.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'

/** Where this process runs, for a trace's header. Of the environment only the named variables are kept. */
export function currentRuntime(environment: readonly string[]): Runtime {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  const env = environment.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { node: process.versions.node, goldenrun: GOLDENRUN_VERSION, timeZone, locale, env: Object.fromEntries(env) }
}
