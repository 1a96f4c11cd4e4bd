import type { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { guardProcess } from '../boundaries/contact/guard.ts'
import { isLiveHost } from '../http/live-hosts.ts'
import { isTelemetryContact } from '../http/telemetry/telemetry-hosts.ts'
import { combine, type Restore } from '../boundaries/patches.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { printCallSite } from '../run/call-site.ts'
import { quietRefusals } from '../replay/quiet-refusals.ts'
import { warn } from '../run/tell.ts'
import type { Trace } from '../trace/trace.ts'
import { knowSessions } from './known-sessions.ts'

/** A project's rules for contacts of its process outside of runs, while goldens are replayed. */
export type DeclaredContacts = Pick<GoldenrunConfig, 'live' | 'refuse' | 'mute' | 'record'>

/** Guards a process that replays goldens. */
export interface OutsideGuard {
  /** Adds the declarations of a config. Called before the agent's modules are loaded. */
  declare(config: DeclaredContacts): void
  /** Adds the sessions of a trace that is not a golden of the project. Called before the agent's modules are loaded. */
  knows(trace: Trace): void
  /** Warns about contacts that were refused outside of runs and did not stop the program, once per contact and process. */
  tell(golden: string): void
  readonly release: Restore
}

/** Contacts that this process has already warned about. */
const told = new Set<string>()

/**
 * Refuses all contacts outside of runs. If a refused contact makes the program fail, that failure is visible. If the program continues,
 * the golden is not affected and a warning is printed.
 *
 * @param declared Hosts that may be contacted.
 */
export function guardOutside(declared: readonly string[] = []): OutsideGuard {
  const live = [...declared]
  const quiet: string[] = []
  const telemetry = { mute: [] as string[], record: [] as string[] }
  const refused: ContactRefusedError[] = []
  const sessions = knowSessions()
  return {
    declare(config) {
      live.push(...(config.live ?? []))
      quiet.push(...(config.refuse ?? []))
      telemetry.mute.push(...(config.mute ?? []))
      telemetry.record.push(...(config.record ?? []))
    },
    tell(golden) {
      for (const { door, host, site } of refused.splice(0)) {
        const name = `${door} ${host}`
        if (told.has(name) || isLiveHost(host, quiet) || isTelemetryContact(host, telemetry)) continue
        told.add(name)
        warn(
          `goldenrun refused to contact ${host} (${door})${site === undefined ? '' : ` at ${printCallSite(site)}`}: code outside of the run of ${golden} may not reach the outside world. ` +
            `The program continued. To accept the refusal: refuse: ['${host}'] in goldenrun.config.ts. To allow the contact: live: ['${host}'].`,
        )
      }
    },
    knows: (trace) => sessions.add(trace),
    release: combine(quietRefusals(), sessions.release, guardProcess({ live, refuse: quiet, onRefused: (error) => refused.push(error) })),
  }
}
