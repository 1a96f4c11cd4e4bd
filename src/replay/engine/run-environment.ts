import { isMachineVariable } from '../../boundaries/environment/machine-variables.ts'
import { processWide } from '../../node/process-wide.ts'
import type { Trace } from '../../trace/trace.ts'
import { variablesOf } from '../traces/variables-of.ts'

/** The environment variables that were set because some golden's run sent their values. */
export const standInVariables: Set<string> = processWide('stand-in-variables', () => new Set<string>())

/**
 * Returns the environment variables that a replayed run has instead of this process's; null for one that is not set. A variable that was set for
 * another golden is not set here: this run may have done without.
 */
export function runEnvironment({ header, rows }: Trace): Map<string, string | null> {
  const environment = new Map(Object.entries(header.runtime.env).filter(([name]) => !isMachineVariable(name)))
  if (standInVariables.size === 0 || header.format < 3) return environment
  const sent = variablesOf(rows)
  for (const name of standInVariables) if (!Object.hasOwn(sent, name)) environment.set(name, null)
  return environment
}
