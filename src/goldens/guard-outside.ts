import type { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { guardProcess } from '../boundaries/contact/guard.ts'
import { isLiveHost } from '../http/live-hosts.ts'
import { isHostOf, isTelemetryContact, telemetryHosts } from '../http/muted-hosts.ts'
import type { Restore } from '../boundaries/patches.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { printCallSite } from '../run/call-site.ts'
import { warn } from '../run/tell.ts'

/** What a project says of its process while goldens are replayed. */
export type DeclaredContacts = Pick<GoldenrunConfig, 'live' | 'refuse' | 'mute'>

/** The guard of a process that replays goldens. */
export interface OutsideGuard {
  /** Adds what a config declares. Said before the agent's modules are loaded. */
  declare(config: DeclaredContacts): void
  /** Warns of what the program was refused outside of runs since, and went on without; of each once in a process. */
  tell(golden: string): void
  readonly release: Restore
}

/** Warned of in this process already. */
const told = new Set<string>()

/**
 * Keeps all that is outside of runs from the world. A program whose refused contact fails fails by itself; one that goes on is none of the golden's
 * business, and a person hears of it.
 *
 * @param declared Hosts that may be reached.
 */
export function guardOutside(declared: readonly string[] = []): OutsideGuard {
  const live = [...declared]
  const quiet: string[] = []
  const muted: string[] = []
  const refused: ContactRefusedError[] = []
  return {
    declare(config) {
      live.push(...(config.live ?? []))
      quiet.push(...(config.refuse ?? []))
      muted.push(...(config.mute ?? []))
    },
    tell(golden) {
      for (const { door, host, site } of refused.splice(0)) {
        const name = `${door} ${host}`
        if (told.has(name) || isLiveHost(host, quiet) || isTelemetryContact(host, (url) => isHostOf(url, [...telemetryHosts, ...muted])))
          continue
        told.add(name)
        warn(
          `goldenrun refused ${host} (${door})${site === undefined ? '' : ` at ${printCallSite(site)}`}: outside of the run of ${golden} nothing may reach the world. ` +
            `The program went on. If it may do without: refuse: ['${host}'] in goldenrun.config.ts. If it may be reached: live: ['${host}'].`,
        )
      }
    },
    release: guardProcess({ live, refuse: quiet, onRefused: (error) => refused.push(error) }),
  }
}
