import { checkFilesOptions, type FilesOptions } from '../boundaries/files/files-option.ts'
import type { RetentionOptions } from '../stores/retention.ts'
import type { SecretsOptions } from '../stores/secrets/secrets-options.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { checkRequestEffects } from '../trace/requests/check-request-effects.ts'
import type { RequestEffects } from '../trace/boundary.ts'
import { checkKnownOptions, checkNamedUrls, OptionsError } from '../trace/errors/options-error.ts'
import { type CheckpointPolicy, checkCheckpointPolicy } from './checkpoints/checkpoint-policy.ts'
import type { RecorderLimits } from './limits.ts'
import { checkTelemetry } from './telemetry/check-telemetry.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { checkRedactOptions, type RedactOptions } from '../redaction/redact-options.ts'
import type { SampleOptions } from './sampling/sample-options.ts'

/** How a recorder records. */
export interface RecorderOptions {
  /**
   * Where recordings are stored: a directory (created when needed), a URL (`redis://host:6379`), or a store. Default: the store that
   * `goldenrun record` sets, else `.goldenrun/runs`.
   */
  readonly store?: string | TraceStore
  /** The version of the agent, for every run that does not state its own. Default: none. */
  readonly agentVersion?: string
  /**
   * Names of environment variables that are kept in each trace and set again on replay. Variables that decide which programs a machine runs (`PATH`,
   * `NODE_OPTIONS`) are not set again. Default: none.
   */
  readonly env?: readonly string[]
  /**
   * Hosts, URLs that requests begin with, tools and externals whose calls the process makes once for many runs: a token, a key set. A replay answers
   * such calls from the latest answer, any number of times, including none. Default: only equal reads of known stores of prompts and flags.
   */
  readonly ambient?: readonly string[]
  /**
   * Names of request headers that are kept and compared although [the table](headers.md#what-is-left-out) leaves them out: `['user-agent']`. Each trace
   * lists them, so that a replay compares the same headers. Default: none.
   */
  readonly compareHeaders?: readonly string[]
  /**
   * Which requests read and which are side effects, by method, host and path: `{ 'POST search.example/v1/*': 'read' }`. `*` matches any part of a host
   * or of one path segment, `/**` any number of segments. The first pattern that matches decides. Each trace lists them, so that replays and reports
   * use the same effects. A tool that declares its effect decides for the requests that it makes. Default: by the method, except for requests that are
   * known to only read.
   */
  readonly effects?: RequestEffects
  /**
   * Requests that are not recorded, in addition to known telemetry: hosts with their subdomains (`telemetry.example`), and URLs that they begin with
   * (`https://api.example/v1/track`). Default: none.
   */
  readonly mute?: readonly string[]
  /** Requests that are recorded although they are telemetry or named in `mute`: hosts and URLs, as in `mute`. Default: none. */
  readonly record?: readonly string[]
  /** The files outside the project that are recorded: `{ record: ['/data/**'] }`. Default: none; a replay reads the real files, and writes copies. */
  readonly files?: FilesOptions
  /** Values to replace before a trace is written, in addition to the well-known kinds of secrets. Default: only those. */
  readonly redact?: RedactOptions
  /**
   * Where to keep personal data that redaction removes, encrypted, for `goldenrun show --reveal`. API keys, tokens, passwords and header values are
   * never kept. Default: nothing is kept.
   */
  readonly secrets?: SecretsOptions
  /** The resources of the process that recording may use. Default: see each limit. */
  readonly limits?: RecorderLimits
  /**
   * Whether a separate thread redacts, compresses and writes recordings; all recorders of a process share it. It starts with the first run, in about
   * 50 ms. The agent's thread writes the runs that begin before then. It writes all runs when the store is not a directory, a redaction rule is a
   * function, or no thread can be started. Default: true.
   */
  readonly thread?: boolean
  /** Which runs are kept: `{ errors: 1, rest: 0.05 }` keeps every failed run and a twentieth of the others. Default: all. */
  readonly sample?: SampleOptions
  /** When to take checkpoints in addition to the agent's own, of the state that it registers with `checkpoint.state`. Default: never. */
  readonly checkpoints?: CheckpointPolicy
  /**
   * How long recordings are kept: `{ failed: '90d', successful: '7d, 5GB' }`. The recorder removes recordings beyond that a minute after it was created
   * and then every hour; among processes that share a store, one does so. Default: all forever, except that a directory holds 20 GB of successful
   * runs (`successful: 'forever'` turns that off).
   */
  readonly retention?: RetentionOptions
  /** The receiver of run events: `otel()` of `goldenrun/otel` turns them into spans. Default: none. */
  readonly telemetry?: Telemetry
}

/** The options of a run, in addition to the agent's function. */
export interface RunOptions<Input, Context> {
  /** The agent's name, as used by the configuration and `goldenrun list`. */
  readonly agent: string
  /** The agent's input; kept in the trace. */
  readonly input: Input
  /** The agent's dependencies that cannot be serialized: a database client, a logger, an AbortSignal. Never stored. Default: none. */
  readonly context?: Context
  /** User, session, prompt version: values by which to find the run of a user's report. Default: none. */
  readonly tags?: Readonly<Record<string, string>>
  /** Default: the recorder's. */
  readonly agentVersion?: string
}

/** Headers whose values must not be written down. */
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-goog-api-key'])

/** @throws OptionsError for an unknown option, or one of the wrong type. */
export function checkOptions(options: RecorderOptions): void {
  checkKnownOptions('createRecorder', options, [
    'store',
    'agentVersion',
    'env',
    'ambient',
    'compareHeaders',
    'effects',
    'mute',
    'record',
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
  checkRequestEffects('createRecorder', options.effects)
  checkRedactOptions('createRecorder', options.redact)
  checkNamedUrls('createRecorder', options)
  checkFilesOptions('createRecorder', options.files)
  checkCheckpointPolicy('createRecorder', options.checkpoints)
  checkTelemetry('createRecorder', options.telemetry)
  const { store, compareHeaders = [] } = options
  const credential = compareHeaders.find((name) => credentials.has(name.toLowerCase()))
  if (credential !== undefined) {
    throw new OptionsError(
      'createRecorder',
      'compareHeaders',
      `cannot hold ${JSON.stringify(credential)}: it carries a secret, which identifies the sender and not the request.`,
    )
  }
  if (typeof store === 'string' ? store !== '' : typeof store?.open === 'function') return
  throw new OptionsError('createRecorder', 'store', 'has to be a directory or a store: createRecorder({ store: ".goldenrun/runs" }).')
}
