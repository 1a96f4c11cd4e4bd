import { type ConfiguredAgent, pickAgent } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import type { OutsideGuard } from './guard-outside.ts'
import type { OwnSurroundings } from '../replay/engine/own-surroundings.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** A golden trace that is a test file. */
export interface GoldenFile {
  /** An absolute path. */
  readonly file: string
  readonly name: string
  /** Hosts that the file may contact outside of the run. */
  readonly live: readonly string[]
  /** The limit of its replay, in milliseconds of real time. */
  readonly limit: number
  readonly loadConfig?: () => Promise<{ readonly default: GoldenrunConfig }>
  readonly loadAgent?: () => Promise<Readonly<Record<string, unknown>>>
  /** The name of the agent's export. */
  readonly exported?: string
  /** The time zone and the locale of the parent process. */
  readonly surroundings: OwnSurroundings
  /** Why the golden cannot be replayed. */
  readonly failure?: string
}

/** An agent, and the config of its project. */
export interface ReadyAgent {
  readonly agent: ConfiguredAgent
  readonly config: GoldenrunConfig
}

/** An imported module. */
export type GoldenModule = Readonly<Record<string, unknown>>

/** Loads the agent of a golden, and the config of its project. */
export async function loadAgent(
  { file, loadConfig, loadAgent: load, exported = 'default', failure }: GoldenFile,
  outside: Pick<OutsideGuard, 'declare'>,
): Promise<ReadyAgent> {
  if (failure !== undefined || load === undefined)
    throw new GoldenrunError('GOLDENRUN_GOLDEN_FILE', failure ?? `${displayPath(file)} has no agent.`)
  const { default: config = {} } = (await loadConfig?.()) ?? {}
  outside.declare(config)
  return readyAgent(await load(), exported, config)
}

/** Returns the agent that a module exports. @throws GoldenrunError `GOLDENRUN_NO_AGENT` if it has no such export. */
export function readyAgent(module: GoldenModule, exported: string, config: GoldenrunConfig): ReadyAgent {
  const { agent, found } = pickAgent(module, exported)
  if (agent !== undefined) return { agent, config }
  throw new GoldenrunError(
    'GOLDENRUN_NO_AGENT',
    `The module of the agent has no function "${exported}": it ${found}. Correct it in goldenrun.config.ts.`,
  )
}
