import path from 'node:path'
import { findAgent } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { nearestConfig } from '../config/nearest-config.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { displayPath } from '../node/display-path.ts'
import type { RunRow } from '../trace/run-row.ts'
import { findGoldenFile } from './find-golden-file.ts'

/** Returns the arguments of the command that stops in a golden's agent. Undefined if the config does not name the agent: the command needs it. */
export async function debugArguments({ agent, golden }: RunRow, file: string, config: GoldenrunConfig): Promise<string | undefined> {
  if (golden === undefined || findAgent(config, agent) === undefined) return undefined
  // A golden in another package of a monorepo has no name here.
  const isNamed = (await findGoldenFile(golden.name)) === path.resolve(file)
  return `debug ${quoteForShell(isNamed ? golden.name : displayPath(file))}`
}

/** Like `debugArguments`, with the config nearest to the golden's file, which the command uses as well. */
export async function debugArgumentsFor(header: RunRow, file: string): Promise<string | undefined> {
  return await debugArguments(header, file, await nearestConfig(path.dirname(path.resolve(file))))
}
