/** How a run ended; `in-flight` if its recording has no end: it is still running, or its process died. */
export type RunStatus = 'returned' | 'threw' | 'in-flight'

/**
 * A run's summary, known without reading its recording: what it can be found by, and whether it is worth keeping. Redacted like the
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
  /** The models that were called, each once, in the order of first use. */
  readonly models: readonly string[]
  /** The names of tools and externals that were called, each once, in the order of first use. */
  readonly tools: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** What the run threw. */
  readonly error?: { readonly name: string; readonly message: string }
  /** Why it needs attention: flags of the agent or a user, and repeated side effects. */
  readonly flags: readonly string[]
  /** How many side effects were repeated. */
  readonly repeatedSideEffects: number
  /** The token usage in the providers' answers, as far as it can be found without parsing them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  /** The size of its recording, as far as the store knows. */
  readonly bytes?: number
  /** Its recording, as named in messages; set by the store that finds it. */
  readonly file?: string
}

/** The runs to find: those that match every given field. */
export interface RunQuery {
  readonly agent?: string
  readonly agentVersion?: string
  readonly status?: RunStatus
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
  /** Runs flagged by the agent, by a user or for a repeated side effect. */
  readonly flagged?: true
  /** Runs that started at this time or later. ISO 8601. */
  readonly since?: string
  /** Runs older than this one, for paging. An id. */
  readonly before?: string
  /** The maximum number, the newest ones. Default: all. */
  readonly limit?: number
  /** Use only the index, even if it lags behind, for a process that must not read recordings. */
  readonly indexedOnly?: true
}
