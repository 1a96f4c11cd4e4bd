import type { RecorderOptions } from '../record/recorder-options.ts'
import type { RetentionOptions } from '../stores/retention.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'

/** What a project says once for all of its goldens, in `goldenrun.config.ts`. */
export interface GoldenrunConfig extends Pick<RecorderOptions, 'env' | 'compareHeaders' | 'ambient' | 'mute' | 'redact'> {
  /**
   * The agents by their names, as recordings have them: a file, from the config's folder, and what it exports: `'./src/agent.ts#supportAgent'`.
   * Without a `#` it is the file's default export.
   */
  readonly agents?: Readonly<Record<string, AgentEntry>>
  /** Where recordings are: a directory, from the config's folder, or a store of your own. Default: `.goldenrun/runs`. */
  readonly store?: string | TraceStore
  /** How long `goldenrun gc` keeps recordings; pass the same to `createRecorder`. Default: all forever. */
  readonly retention?: RetentionOptions
  /**
   * Hosts that the process may reach while goldens are replayed, outside of their runs, with their port or without; `localhost` stands for every loopback
   * address, a path for a socket or a database's file. Default: none.
   */
  readonly live?: readonly string[]
  /** Hosts that a program reaches for when its modules load, and goes on without: they are refused, and no warning is given. Default: none. */
  readonly refuse?: readonly string[]
  /** How goldens are replayed. Default: as `replay` does. */
  readonly replay?: ReplayDefaults
  /** What `goldenrun check` holds goldens to. Default: that they can be read and hold no secret. */
  readonly check?: CheckPolicy
}

/** Where an agent is; or that, with a function that makes what it is given beside its input, anew for each replay. */
export type AgentEntry = string | { readonly module: string; readonly context?: () => unknown }

/** The options of `replay` that a project may give once for all of its goldens. */
export type ReplayDefaults = Pick<ReplayOptions, 'tools' | 'ignore' | 'normalize' | 'allowModelDrift' | 'telemetry'>

/** What `goldenrun check` holds goldens to. */
export interface CheckPolicy {
  /** How old a recording may be, in days. Default: any age. */
  readonly maxAgeDays?: number
  /** The models that an agent asks now, by its name. A golden that was recorded with another one is found. Default: any. */
  readonly models?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Gives a config its types.
 *
 * @example
 * // goldenrun.config.ts
 * export default defineConfig({ agents: { support: './src/agent.ts#supportAgent' }, check: { maxAgeDays: 90 } })
 */
export function defineConfig(config: GoldenrunConfig): GoldenrunConfig {
  return config
}
