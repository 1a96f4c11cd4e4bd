import { type CallSite, printCallSite } from '../../run/call-site.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Contact } from './contact.ts'

const CODE = 'GOLDENRUN_CONTACT_REFUSED'

/** Who refuses a contact: a replay what its run does, and what is neither its run's nor a test's; the guard what the process does outside of every run. */
export type Refuser = 'replay' | 'replay guard' | 'guard'

/** What the code gets that would reach the world where nothing may. Whoever refused it knows, whatever becomes of this error. */
export class ContactRefusedError extends GoldenrunError {
  /** How the world would have been reached: `tcp`, `dns`, `child process`. */
  readonly door: string
  /** Whom it would have reached: a host with its port, a path, a command. */
  readonly host: string
  /** Where in the agent's code. */
  readonly site: CallSite | undefined

  constructor({ door, host }: Contact, by: Refuser, site: CallSite | undefined) {
    const place = site === undefined ? [] : [`  at  ${printCallSite(site)}`]
    super(
      CODE,
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

  static override isInstance(error: unknown): error is ContactRefusedError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}

const reasons: Readonly<Record<Refuser, string>> = {
  replay: 'the trace has no answer for it',
  'replay guard': 'it is made for no run and for no test',
  guard: 'outside of a run nothing may reach the world here',
}

const remedies: Readonly<Record<Refuser, (host: string, door: string) => readonly string[]>> = {
  replay: (_host, door) => [
    door === 'database'
      ? "If it is part of the run, make its calls steps, wrapClient('name', database), and record the run again."
      : "If it is part of the run, make it a step, external('name', fn), and record the run again.",
    "If it may stay live, say so at the call: live('reason', fn)",
  ],
  'replay guard': (host) => [
    'What runs there was made before the run: a worker or a timer of the module, a function that was bound. Make it in the run, or wrap what the agent asks of it.',
    `If it may stay live, declare its host: replay(…, { live: ['${host}'] })`,
  ],
  guard: (host) => [
    'Connect where the agent first needs it, and not when its module loads.',
    `If it may be reached, say so in goldenrun.config.ts: live: ['${host}']`,
  ],
}
