import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Terminal } from './terminal.ts'

/**
 * Asks before a command changes what cannot be brought back.
 *
 * @param nothing Says that it was not done: `Removed nothing`.
 * @throws GoldenrunError `GOLDENRUN_UNCONFIRMED` if it cannot ask, or the answer is no.
 */
export async function confirmChange(
  question: string,
  nothing: string,
  { yes, json }: { readonly yes?: true; readonly json?: true },
  { isInteractive, confirm }: Terminal,
): Promise<void> {
  if (yes === true) return
  const canAsk = json !== true && isInteractive
  const reason = json === true ? '--json prints only the result and cannot ask' : 'there is no terminal to prompt in'
  if (!canAsk) throw unconfirmed(`${nothing}: ${reason}. To go on without confirmation: --yes. To list only: --dry-run`)
  if (!(await confirm(question))) throw unconfirmed(`${nothing}.`)
}

function unconfirmed(message: string): GoldenrunError {
  return new GoldenrunError('GOLDENRUN_UNCONFIRMED', message)
}
