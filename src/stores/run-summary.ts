/** How a run ended; `in-flight` if its recording has no end: it is still running, or its process died. */
export type RunStatus = 'returned' | 'threw' | 'in-flight'

/**
 * A run's summary, available without reading its recording: the fields that find it, and whether it is worth keeping. Redacted like the
 * recording.
 */
export interface RunSummary {
  readonly id: string
  /** 32 hexadecimal digits, as OpenTelemetry writes a trace id. */
  readonly traceId: string
  readonly agent: string
  readonly agentVersion?: string
  readonly status: RunStatus
  /** ISO 8601 with milliseconds. */
  readonly startedAt: string
  /** Milliseconds. Absent while the run is in flight. */
  readonly durationMs?: number
  readonly steps: number
  readonly modelCalls: number
  /** Calls of tools and externals. */
  readonly toolCalls: number
  /** The models called, each once, in the order of first use. */
  readonly models: readonly string[]
  /** The names of the tools and externals called, each once, in the order of first use. */
  readonly tools: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** The error that the run threw. */
  readonly error?: { readonly name: string; readonly message: string }
  /** Why the run needs attention: flags of the agent or a user, and repeated side effects. */
  readonly flags: readonly string[]
  /** How many side effects were repeated. */
  readonly repeatedSideEffects: number
  /**
   * The side effects, each once, as far as they can be told apart from those of other runs: none with a redacted part, and at most a
   * hundred. Absent if there are none.
   */
  readonly effects?: readonly RunEffect[]
  /** The token usage in the providers' answers, if it can be found without parsing them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  /** The size of its recording, if the store knows it. */
  readonly bytes?: number
  /** The recording's name in messages; set by the store that finds it. */
  readonly file?: string
}

/** A side effect of a run, identified across runs. */
export interface RunEffect {
  /** A tool's name, or the request: `POST payments.example/v1/refunds (inferred)`. */
  readonly name: string
  /** Its idempotency key. Absent if it had none. */
  readonly key?: string
  /** A hash of its redacted arguments. Absent if it had an idempotency key. */
  readonly hash?: string
  /** The step that first made it. */
  readonly step: number
  /** Milliseconds since the run started. */
  readonly at: number
}

/** A side effect that several runs made. */
export interface RepeatedEffect {
  /** A tool's name, or the request: `POST payments.example/v1/refunds (inferred)`. */
  readonly effect: string
  /** The idempotency key that they share. Absent if they had none and had the same arguments. */
  readonly key?: string
  /** The runs, the oldest first. If there are very many, only the newest. */
  readonly runs: readonly EffectRun[]
}

/** A run that made the side effect. */
export interface EffectRun {
  readonly id: string
  readonly agent: string
  readonly agentVersion?: string
  /** When it made the side effect. ISO 8601. */
  readonly at: string
  /** The step that made it. */
  readonly step: number
}

/** Draws a sample of the runs that match. The same seed draws the same runs as long as no other run matches. */
export interface RunSample {
  /** The number of runs. */
  readonly size: number
  readonly seed: string
  /** Draws evenly from groups of runs with equal values of these fields: `agent`, `agentVersion`, `status`, `tag:plan`. Default: one group. */
  readonly by?: readonly string[]
}

/** The runs to find: those that match every given field. */
export interface RunQuery {
  readonly agent?: string
  readonly agentVersion?: string
  /** One status, or any of several. */
  readonly status?: RunStatus | readonly RunStatus[]
  /** An OpenTelemetry trace id. */
  readonly traceId?: string
  readonly tags?: Readonly<Record<string, string>>
  /** A model that was called. */
  readonly model?: string
  /** A tool or an external that was called. */
  readonly tool?: string
  /** Words in the name or message of the run's error, in any order and case. */
  readonly error?: string
  /** Runs that repeated a side effect. */
  readonly repeatedSideEffects?: true
  /** Runs that made a side effect with this idempotency key. */
  readonly idempotencyKey?: string
  /** Runs flagged by the agent, by a user, or for a repeated side effect. */
  readonly flagged?: true
  /** Runs that started at this time or later. ISO 8601. */
  readonly since?: string
  /** Runs that started before this time. ISO 8601. */
  readonly until?: string
  /** Finds a sample of the runs that match, instead of all of them. */
  readonly sample?: RunSample
  /** Runs older than this one, for paging. An id. */
  readonly before?: string
  /** The maximum number of runs, the newest ones. Default: all. */
  readonly limit?: number
  /** Uses only the index, even if it lags behind, for a process that must not read recordings. */
  readonly indexedOnly?: true
  /**
   * Also finds runs that no index has yet, however long that takes: for work that must not miss one. A store whose look-ups miss none ignores it.
   */
  readonly complete?: true
}
