import type { Runtime } from '../trace/run-row.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'

/** Where this process runs, for a trace's header. Of the environment only the named variables are kept, those that are not set as that. */
export function currentRuntime(environment: readonly string[]): Runtime {
  const env = environment.map((name) => [name, process.env[name] ?? null] as const)
  const nodeEnv = process.env['NODE_ENV'] ?? null
  return { node: process.versions.node, goldenrun: GOLDENRUN_VERSION, ...currentPlace(), env: Object.fromEntries(env), nodeEnv }
}

type Place = Pick<Runtime, 'timeZone' | 'locale'>

/** What `Intl` said, and the time zone that the environment named: a program may set another at any time, but no other locale. */
let known: { readonly named: string | undefined; readonly place: Place } | undefined

/** Asking `Intl` takes a tenth of a millisecond, which each run would pay. */
function currentPlace(): Place {
  const named = process.env['TZ']
  if (known === undefined || known.named !== named) {
    const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
    known = { named, place: { timeZone, locale } }
  }
  return known.place
}
