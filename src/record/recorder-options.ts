import { checkFilesOptions, type FilesOptions } from '../boundaries/files/files-option.ts'
import type { RetentionOptions } from '../stores/retention.ts'
import type { SecretsOptions } from '../stores/secrets/secrets-options.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import { type CheckpointPolicy, checkCheckpointPolicy } from './checkpoints/checkpoint-policy.ts'
import type { RecorderLimits } from './limits.ts'
import { checkTelemetry } from './telemetry/check-telemetry.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { checkRedactOptions, type RedactOptions } from '../redaction/redact-options.ts'
import type { SampleOptions } from './sampling/sample-options.ts'

/** How a recorder records. */
export interface RecorderOptions {
  /** Where recordings live: a directory, made when needed, a URL (`redis://host:6379`), or a store. Default: where `goldenrun record` says, else `.goldenrun/runs`. */
  readonly store?: string | TraceStore
  /** The version of the agent, for every run that does not say its own. Default: none. */
  readonly agentVersion?: string
  /** Names of environment variables that are kept in each trace and set again on replay; those that say which programs a machine runs (`PATH`, `NODE_OPTIONS`) are not set again. Default: none. */
  readonly env?: readonly string[]
  /**
   * Hosts, and names of tools and externals, of calls that the process makes once for many runs: a token, a key set. A replay answers them any
   * number of times, none included, from the latest answer. Default: none.
   */
  readonly ambient?: readonly string[]
  /**
   * Names of request headers that say what a call asks for, and are kept and compared beside content type, idempotency key, `*-version` and
   * `*-beta`: `['x-tenant']`. Each trace says which, so that a replay compares the same. Default: none.
   */
  readonly compareHeaders?: readonly string[]
  /** Hosts of which nothing is recorded, beside the well-known ones of telemetry. Default: none. */
  readonly mute?: readonly string[]
  /** Which files outside the project are recorded: `{ record: ['/data/**'] }`. Default: none, files are the agent's own and real in a replay. */
  readonly files?: FilesOptions
  /** What is taken out of a trace before it is written, beside the well-known kinds of secrets. Default: those, and nothing else. */
  readonly redact?: RedactOptions
  /**
   * Where what redaction takes out of persons' data is kept, encrypted, for `goldenrun show --reveal`. API keys, tokens, passwords and what
   * stands in headers are never kept. Default: nothing is kept.
   */
  readonly secrets?: SecretsOptions
  /** What recording may take of the process. Default: see each. */
  readonly limits?: RecorderLimits
  /**
   * Whether recordings are redacted, compressed and written by a thread of their own, which all recorders of a process share. It takes about 50 ms
   * to start, with the first run; runs that begin before are written on the agent's thread, as all are where the store is no directory, where a
   * redaction rule is a function, and where there can be no thread. Default: true.
   */
  readonly thread?: boolean
  /** Which runs are kept: `{ errors: 1, rest: 0.05 }` is every failed run and a twentieth of the others. Default: all. */
  readonly sample?: SampleOptions
  /** When checkpoints are taken beside those that the agent takes, of the state that it registers with `checkpoint.state`. Default: never. */
  readonly checkpoints?: CheckpointPolicy
  /**
   * How long recordings are kept: `{ failed: '90d', successful: '7d, 5GB' }`. The recorder removes what is not, a minute after it was made and
   * then every hour; of the processes that share a store, one does. Default: all forever, except that a directory holds 20 GB of successful
   * runs (`successful: 'forever'` turns that off).
   */
  readonly retention?: RetentionOptions
  /** Who is told of runs: `otel()` of `goldenrun/otel` makes spans of them. Default: nobody. */
  readonly telemetry?: Telemetry
}

/** What a run is told beside the agent's function. */
export interface RunOptions<Input, Context> {
  /** The agent's name, as the configuration and `goldenrun list` know it. */
  readonly agent: string
  /** What the agent is given; kept in the trace. */
  readonly input: Input
  /** What the agent is given and cannot be written down: a database client, a logger, an AbortSignal. Never stored. Default: none. */
  readonly context?: Context
  /** User, session, prompt version: what a user's report can be found by. Default: none. */
  readonly tags?: Readonly<Record<string, string>>
  /** Default: the recorder's. */
  readonly agentVersion?: string
}

/** Headers whose values must not be written down. */
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-goog-api-key'])

/** @throws OptionsError for an option that it does not know, or one of the wrong type. */
export function checkOptions(options: RecorderOptions): void {
  checkKnownOptions('createRecorder', options, [
    'store',
    'agentVersion',
    'env',
    'ambient',
    'compareHeaders',
    'mute',
    'files',
    'redact',
    'secrets',
    'limits',
    'thread',
    'sample',
    'checkpoints',
    'retention',
    'telemetry',
  ])
  checkRedactOptions('createRecorder', options.redact)
  checkFilesOptions('createRecorder', options.files)
  checkCheckpointPolicy('createRecorder', options.checkpoints)
  checkTelemetry('createRecorder', options.telemetry)
  const { store, compareHeaders = [] } = options
  const credential = compareHeaders.find((name) => credentials.has(name.toLowerCase()))
  if (credential !== undefined) {
    throw new OptionsError(
      'createRecorder',
      'compareHeaders',
      `cannot hold ${JSON.stringify(credential)}: it carries a secret, and says who asks, not what.`,
    )
  }
  if (typeof store === 'string' ? store !== '' : typeof store?.open === 'function') return
  throw new OptionsError('createRecorder', 'store', 'has to be a directory or a store: createRecorder({ store: ".goldenrun/runs" }).')
}
