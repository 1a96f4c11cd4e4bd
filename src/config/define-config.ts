import type { RecorderOptions } from '../record/recorder-options.ts'
import type { RetentionOptions } from '../stores/retention.ts'
import type { SecretsOptions } from '../stores/secrets/secrets-options.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import type { ReadLimits } from '../trace/read-limits.ts'
import type { Price } from '../models/cost.ts'
import type { HeaderOptions, ReplayOptions } from '../replay/contract/replay-options.ts'

/** A project's settings for all of its goldens, in `goldenrun.config.ts`. */
export interface GoldenrunConfig extends Pick<
  RecorderOptions,
  'env' | 'compareHeaders' | 'effects' | 'ambient' | 'mute' | 'record' | 'files' | 'redact'
> {
  /**
   * The agents by the names that recordings use: a file, relative to the config's folder, and its export: `'./src/agent.ts#supportAgent'`.
   * Without a `#`, the default export is used.
   */
  readonly agents?: Readonly<Record<string, AgentEntry>>
  /**
   * Where recordings are stored: a directory, relative to the config's folder, a URL (`redis://host:6379`, `s3://bucket/prefix`), or a custom store.
   * Default: `.goldenrun/runs`.
   */
  readonly store?: string | TraceStore
  /**
   * Where the recorder keeps the data that redaction removes, encrypted: a directory relative to the config's folder, or a store, and the keys. Pass
   * the same to `createRecorder`. `goldenrun show --reveal` reads it, and `gc` removes it with its runs. Default: nothing is kept.
   */
  readonly secrets?: SecretsOptions
  /** How long `goldenrun gc` keeps recordings; pass the same to `createRecorder`. Default: all forever, except that a directory holds 20 GB of successful runs. */
  readonly retention?: RetentionOptions
  /**
   * Hosts that the process may contact outside of runs while goldens are replayed, with or without a port. `localhost` means every loopback
   * address; a path means a socket or a database file. Default: none.
   */
  readonly live?: readonly string[]
  /** Hosts that a program tries to contact when its modules load, but does not need: they are refused without a warning. Default: none. */
  readonly refuse?: readonly string[]
  /**
   * Request headers that no golden of the project compares, by name: `{ ignore: ['x-deployment'] }`. Applies to golden files and commands; a test of
   * your own passes `headers` to `replay`. Default: none, but those of the table.
   */
  readonly headers?: HeaderOptions
  /**
   * Whether a test of your own fails that replays a run and ends without looking at what came of it: without an assertion on the run, and without
   * reading anything of it. Default: false, and such a golden is counted as `not asserted`.
   */
  readonly assertReplays?: boolean
  /** How goldens are replayed. Default: the defaults of `replay`. */
  readonly replay?: ReplayDefaults
  /**
   * Answers that replace the world for `goldenrun fork` and `verify`, by tool, host or dialect: a value, a function of the call's input, or, for a
   * host, a list of MSW handlers. Default: none.
   */
  readonly sandbox?: Readonly<Record<string, unknown>>
  /** The prices of models, by name: for budgets in US dollars. Default: none. */
  readonly prices?: Readonly<Record<string, Price>>
  /** The checks of `goldenrun check`. Default: that goldens can be read and contain no secrets. */
  readonly check?: CheckPolicy
  /**
   * How much a recording or golden may take when it is read: a file that would take more is an error that names the limit. They hold for the whole
   * process that loads the config. Default: 256 MB for a frame, 128 MB for a text, 512 MB for a trace.
   */
  readonly limits?: ReadLimits
}

/** The location of an agent, optionally with a function that creates its context for each replay. */
export type AgentEntry = string | { readonly module: string; readonly context?: () => unknown }

/** The options of `replay` that a project may set for all of its goldens. */
export type ReplayDefaults = Pick<ReplayOptions, 'tools' | 'ignore' | 'normalize' | 'allowModelDrift' | 'telemetry'>

/** The checks of `goldenrun check`. */
export interface CheckPolicy {
  /** The maximum age of a recording, in days. Default: any age. */
  readonly maxAgeDays?: number
  /** The models that each agent uses now, by the agent's name. Goldens recorded with a different model are reported. Default: any. */
  readonly models?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Types a config.
 *
 * @example
 * // goldenrun.config.ts
 * export default defineConfig({ agents: { support: './src/agent.ts#supportAgent' }, check: { maxAgeDays: 90 } })
 */
export function defineConfig(config: GoldenrunConfig): GoldenrunConfig {
  return config
}
