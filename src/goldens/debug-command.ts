import path from 'node:path'
import { findAgent } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { displayPath } from '../node/display-path.ts'
import { knownOrMade } from '../node/remember.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { RunRow } from '../trace/run-row.ts'
import { findGoldenFile } from './find-golden-file.ts'

/** The arguments of the command that stops in the agent of a golden; undefined if the config does not name the agent, as the command needs it. */
export async function debugArguments({ agent, golden }: RunRow, file: string, config: GoldenrunConfig): Promise<string | undefined> {
  if (golden === undefined || findAgent(config, agent) === undefined) return undefined
  // A golden of another package of a monorepo has no name here.
  const isNamed = (await findGoldenFile(golden.name)) === path.resolve(file)
  return `debug ${quoteForShell(isNamed ? golden.name : displayPath(file))}`
}

/** The same by the config that is nearest to a golden's file, which the command uses, too. */
export async function debugArgumentsFor(header: RunRow, file: string): Promise<string | undefined> {
  const directory = path.dirname(path.resolve(file))
  const config = await knownOrMade(configs, directory, () => loadNearest(directory))
  return await debugArguments(header, file, config)
}

/** By directory. */
const configs = new Map<string, Promise<GoldenrunConfig>>()

/** Only a red test needs it. */
async function loadNearest(directory: string): Promise<GoldenrunConfig> {
  const { findConfig, loadConfig } = await import('../config/load-config.ts')
  try {
    return findConfig(directory) === undefined ? {} : (await loadConfig(directory)).config
  } catch (error) {
    // A config that cannot be loaded is told of by what needs it.
    if (GoldenrunError.isInstance(error)) return {}
    throw error
  }
}
