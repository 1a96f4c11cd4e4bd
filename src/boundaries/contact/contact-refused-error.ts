import { type CallSite, printCallSite } from '../../run/call-site.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Contact } from './contact.ts'

/**
 * The refuser of a contact: a replay (contacts of its run, and contacts that belong to neither a run nor a test), or the guard (contacts
 * outside of every run).
 */
export type Refuser = 'replay' | 'replay guard' | 'guard'

/**
 * Thrown into code that tries to contact the outside world where that is not allowed. The refuser reports it, whatever the code does with
 * this error.
 */
export class ContactRefusedError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_CONTACT_REFUSED'

  /** The kind of contact: `tcp`, `dns`, `child process`. */
  readonly door: string
  /** The target: a host with its port, a path, a command. */
  readonly host: string
  /** The call site in the agent's code. */
  readonly site: CallSite | undefined

  constructor({ door, host }: Contact, by: Refuser, site: CallSite | undefined) {
    const place = site === undefined ? [] : [`  at  ${printCallSite(site)}`]
    super(
      ContactRefusedError.code,
      [
        `The ${by === 'replay guard' ? 'replay' : by} refused to contact ${host} (${door}): ${reasons[by]}.`,
        ...place,
        ...remedies[by](host, door),
      ].join('\n'),
    )
    this.name = 'ContactRefusedError'
    this.door = door
    this.host = host
    this.site = site
  }
}

const reasons: Readonly<Record<Refuser, string>> = {
  replay: 'the trace has no answer for it',
  'replay guard': 'the code belongs to no run and no test',
  guard: 'code outside of a run may not reach the outside world here',
}

const remedies: Readonly<Record<Refuser, (host: string, door: string) => readonly string[]>> = {
  replay: (_host, door) => [
    door === 'database'
      ? "If it is part of the run, make its calls steps, wrapClient('name', database), and record the run again."
      : "If it is part of the run, make it a step, external('name', fn), and record the run again.",
    "If it may stay live, declare it at the call: live('reason', fn)",
  ],
  'replay guard': (host) => [
    "That code was created before the run, for example as a module's worker, a timer or a bound function. Create it inside the run, or wrap the agent's calls to it.",
    `If it may stay live, declare its host: replay(…, { live: ['${host}'] })`,
  ],
  guard: (host) => [
    'Connect when the agent first needs it, not when its module loads.',
    `To allow it, declare it in goldenrun.config.ts: live: ['${host}']`,
  ],
}
