/** How a run ended; `in-flight` when its recording has no end: it still runs, or its process died. */
export type RunStatus = 'returned' | 'threw' | 'in-flight'

/** What is known of a run without reading its recording: what it can be found by, and whether it is worth keeping. Redacted as the recording is. */
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
  /** The models that were asked, each once, in the order of first use. */
  readonly models: readonly string[]
  /** The names of tools and externals that were called, each once, in the order of first use. */
  readonly tools: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** What the run threw. */
  readonly error?: { readonly name: string; readonly message: string }
  /** Why somebody should look at it: what the agent or a person flagged, and repeated side effects. */
  readonly flags: readonly string[]
  /** How many side effects were made that the run had made before. */
  readonly repeatedSideEffects: number
  /** What the providers' answers say that they cost, as far as they say so where answers are not parsed. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  /** The size of its recording, as far as the store knows. */
  readonly bytes?: number
  /** Its recording, as messages call it; given by the store that finds it. */
  readonly file?: string
}

/** Which runs are looked for: those of which everything holds that is given. */
export interface RunQuery {
  readonly agent?: string
  readonly agentVersion?: string
  readonly status?: RunStatus
  /** An OpenTelemetry trace id. */
  readonly traceId?: string
  readonly tags?: Readonly<Record<string, string>>
  /** A model that was asked. */
  readonly model?: string
  /** A tool or an external that was called. */
  readonly tool?: string
  /** Words that stand in the name or message of the run's error, in any order and case. */
  readonly error?: string
  /** Those that repeated a side effect. */
  readonly repeatedSideEffects?: true
  /** Those that are flagged, by the agent, by a person or for a repeated side effect. */
  readonly flagged?: true
  /** Those that started then or later. ISO 8601. */
  readonly since?: string
  /** Those older than this run: to page on. An id. */
  readonly before?: string
  /** How many at most, the newest ones. Default: all. */
  readonly limit?: number
  /** Only by what is known already, though it may lag behind: for a process that has other things to do than to read recordings. */
  readonly indexedOnly?: true
}
