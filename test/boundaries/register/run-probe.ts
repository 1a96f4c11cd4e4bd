import { fileURLToPath } from 'node:url'
import { type CommandResult, runNode } from '../../support/run-command.ts'

/** Runs the probing program in a process of its own, with these options of Node's. */
export function runProbe(...options: readonly string[]): Promise<CommandResult> {
  const program = fileURLToPath(new URL('programs/probe.ts', import.meta.url))
  return runNode(process.cwd(), [...options, program])
}

/** The probes that are open in what a probing program printed, by the way the module was loaded. */
export function openIn(stdout: string): Record<string, string[]> {
  const found = JSON.parse(stdout) as Record<string, Record<string, boolean>>
  return Object.fromEntries(
    Object.entries(found).map(([kind, probes]) => [kind, Object.keys(probes).filter((name) => probes[name] === false)]),
  )
}
