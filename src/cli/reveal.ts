import { hostname, userInfo } from 'node:os'
import { SecretsError } from '../stores/errors/secrets-error.ts'
import { revealSecrets } from '../stores/secrets/kept-secrets.ts'
import { createReveal, revealTrace } from '../stores/secrets/reveal-trace.ts'
import { openSecrets } from '../stores/secrets/secrets-options.ts'
import { printable } from '../trace/printable.ts'
import type { Trace } from '../trace/trace.ts'
import { configSecrets } from './config-secrets.ts'
import { orElse } from '../trace/or-else.ts'

/** A run as `goldenrun show --reveal` prints it. */
export interface RevealedRun {
  readonly trace: Trace
  /** Replaces stand-ins by secrets where only the printed text shows them whole: streams come in pieces. */
  readonly inText: (text: string) => string
}

/**
 * Puts redacted values back into a run, for a person to read. Before that, writes an entry to the audit log.
 *
 * @throws GoldenrunError without a store of secrets, its key or a writable audit log, and if no secrets of the run were kept.
 */
export async function revealRun(trace: Trace): Promise<RevealedRun> {
  const { id, golden } = trace.header
  if (golden !== undefined)
    throw new SecretsError(
      `"${golden.name}" is a golden trace, and only recordings can be revealed. It was made from ${golden.promotedFrom}.`,
    )
  const options = await configSecrets()
  if (options === undefined)
    throw new SecretsError('No secrets are kept: goldenrun.config.ts has no "secrets". See docs/redaction.md, "Keep what was taken out".')
  const secrets = await revealSecrets(openSecrets('goldenrun show --reveal', options), {
    at: new Date().toISOString(),
    who: `${nameOfUser()}@${hostname()}`,
    run: id,
  }).catch((error: unknown) => {
    if (SecretsError.isInstance(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new SecretsError(`Nothing of ${id} is revealed, because the store of secrets cannot be used: ${why}`, { cause: error })
  })
  if (secrets === undefined)
    throw new SecretsError(
      `No secrets of ${id} are kept: redaction took out none that may be kept, the run has not ended, or its recorder has no "secrets".`,
    )
  const reveal = createReveal(secrets.map(([standIn, secret]) => [standIn, printable(secret)]))
  return { trace: revealTrace(trace, secrets), inText: reveal }
}

/** Returns the user's name; in a container, the user may have none. */
function nameOfUser(): string {
  return orElse(() => userInfo().username, `uid ${process.getuid?.() ?? 'unknown'}`)
}
