import type { Boundary, RequestEffects } from './boundary.ts'

/** How much of the run a trace contains, from most to least: `wire` (own recording), `chunk`, `message`, `tool`, `outline` (imports). */
export type Fidelity = 'wire' | 'chunk' | 'message' | 'tool' | 'outline'

/** What a golden trace asserts. */
export type Expectation =
  | { readonly replay: 'same' }
  | {
      readonly replay: 'departs'
      /**
       * The step whose outcome caused the incident, or `input` if the run went wrong from its input on. Default, in goldens of format 1: the first of
       * the repeated calls, else the last step that had settled before `at`.
       */
      readonly trigger?: number | 'input'
      /** The step that must not happen again. */
      readonly at: number
      /** Answers for calls after the trigger that have no recorded counterpart, by tool, host or boundary name. */
      readonly answers?: Readonly<Record<string, unknown>>
      /** Matchers that the run has to pass, by name with arguments. */
      readonly checks?: readonly Check[]
      /** Writes that the agent may make after the trigger: tools by name, requests as `POST host/path`. */
      readonly allowWrites?: readonly string[]
      /** Tools whose functions run in the replay. */
      readonly tools?: Readonly<Record<string, 'run'>>
    }

/** A matcher by name, with its arguments. */
export interface Check {
  readonly matcher: string
  readonly args?: readonly unknown[]
  /** Set if the run must not match. */
  readonly not?: true
}

/** The fields that promotion adds to a header. */
export interface Golden {
  readonly name: string
  readonly description?: string
  /** A person's expectation of the run, in a sentence; the report prints it. */
  readonly expectedOutcome?: string
  readonly expect: Expectation
  /** ISO 8601. */
  readonly promotedAt: string
  /** The id of the recording that was promoted. */
  readonly promotedFrom: string
  /** The golden of the previous run in its conversation, which is replayed first. Absent for the first run of a conversation, and for a run alone. */
  readonly follows?: string
  /** ISO 8601, when inputs were last taken over from changed code. */
  readonly rebasedAt?: string
  /**
   * The environment variables whose values the run sent, with the value, or null for a credential. A machine that lacks one gets a stand-in before
   * the agent loads. Absent if there are none.
   */
  readonly variables?: Readonly<Record<string, string | null>>
}

/** The environment of a run. */
export interface Runtime {
  readonly node: string
  readonly goldenrun: string
  readonly timeZone: string
  readonly locale: string
  /** Environment variables that the configuration names, with their values; null for a variable that was not set. */
  readonly env: Readonly<Record<string, string | null>>
  /** `NODE_ENV`, null if it was not set. A replay has its own: this is for the report. Absent in older traces. */
  readonly nodeEnv?: string | null
}

/**
 * The contracts with providers and tools when the run was recorded: a different model or tool schema is drift. Empty in a recording; promotion
 * derives them from the model calls. Hashes are of redacted text.
 */
export interface Contracts {
  readonly models: readonly string[]
  /** SHA-256 (hex) of each distinct system prompt, in order of first use. */
  readonly systemPrompts: readonly string[]
  /** SHA-256 (hex) of each tool's schema, by tool name. */
  readonly tools: Readonly<Record<string, string>>
}

/** How a trace was redacted, and how many stand-ins it contains: a replay redacts its live side in the same way. */
export interface RedactionRecord {
  /** Names of the rules that ran, built-in and own. */
  readonly rules: readonly string[]
  readonly standIns: number
  /** Own rules, as far as they can be serialized. */
  readonly own?: readonly OwnRule[]
  /** Public values, even if a rule matches them. */
  readonly keep?: readonly KeptPublic[]
  /** Present if random bytes that the run drew were redacted. */
  readonly draws?: 'stand-in'
  /** Countries whose phone numbers were found as people write them at home. Default: none. */
  readonly countries?: readonly string[]
  /** Whether its stand-ins are known by their shape, as in formats 1 and 2: the replay of such a trace. Default: rows list them. */
  readonly shaped?: true
}

/** A user's own rule: by path, by pattern, or by a function, which cannot be serialized. */
export interface OwnRule {
  readonly name: string
  readonly path?: string
  /** The source of a regular expression. */
  readonly pattern?: string
  readonly flags?: string
}

/** A public value, ignoring case, or the source of a regular expression for such values. */
export type KeptPublic = { readonly text: string } | { readonly pattern: string; readonly flags?: string }

/** An answer to a call that a process makes once for many runs. */
export interface AmbientAnswer {
  readonly boundary: Boundary
  readonly name: string
  readonly input: unknown
  /** Like the `output` of a step. */
  readonly output: unknown
}

/** The name of a `signal` row whose value is an `AmbientAnswer`: another run was answered, and this run may have waited for the same answer. */
export const ambientSignal = 'ambient'

/** Calls that belong to the process rather than to the run: a token, a key set, a prompt template. */
export interface Ambient {
  /** Hosts, URLs, and names of tools and externals. */
  readonly names: readonly string[]
  /** The latest answers from before this run. */
  readonly answers: readonly AmbientAnswer[]
}

/** How a replay produced its trace. */
export interface ReplayRecord {
  /** Names of the tools whose functions ran. What the other tools did inside their functions is not in the trace. */
  readonly ran: readonly string[]
}

/** The files outside the project that a run's trace contains. */
export interface RecordedFiles {
  /** Absolute path patterns: `/data/**`. */
  readonly record: readonly string[]
  /** The maximum size of content that was kept. */
  readonly maxBytes: number
}

/** The origin of a fork. */
export interface ForkedFrom {
  /** The id of the original run. */
  readonly id: string
  /** The first step that does not come from the original run. */
  readonly step: number
  /** The change, as far as it can be serialized. */
  readonly edit?: Readonly<Record<string, unknown>>
  /** The route of each call from that step on: recorded, sandbox, run, live. */
  readonly routes: Readonly<Record<string, string>>
}

/** Where a resumed run started. */
export interface ResumedFrom {
  /** The id of the original run. */
  readonly id: string
  readonly checkpoint: string
  /** The agent's state at that point. */
  readonly state: unknown
  /** Milliseconds since the original run started. */
  readonly at: number
  /** The last step that had been called. */
  readonly step: number
}

/** The first row. */
export interface RunRow {
  readonly kind: 'run'
  readonly format: number
  readonly id: string
  readonly traceId: string
  readonly agent: string
  readonly agentVersion?: string
  /** The agent got a context, which is not kept. */
  readonly hasContext?: true
  /** The run is a whole process, which `goldenrun record --whole-process` recorded: no agent can be replayed in its place. */
  readonly wholeProcess?: true
  readonly input: unknown
  readonly tags?: Readonly<Record<string, string>>
  /** ISO 8601 with milliseconds. */
  readonly startedAt: string
  readonly runtime: Runtime
  readonly contracts: Contracts
  readonly fidelity: Fidelity
  readonly redaction: RedactionRecord
  /** Request headers, in lower case, that are kept and compared in addition to those that always carry meaning. */
  readonly compareHeaders?: readonly string[]
  readonly ambient?: Ambient
  /** Which requests read or write, by pattern, where the recorder was told. */
  readonly effects?: RequestEffects
  /** Hosts and URLs that were not recorded, in addition to known telemetry. Before format 3: in addition to the hosts of telemetry products. */
  readonly muted?: readonly string[]
  /** Hosts and URLs that were recorded, telemetry or not. */
  readonly unmuted?: readonly string[]
  readonly files?: RecordedFiles
  readonly golden?: Golden
  /** Present in the trace of a replay. */
  readonly replay?: ReplayRecord
  /** Present in the trace of a resumed run. */
  readonly resumedFrom?: ResumedFrom
  /** Present in the trace of a fork. */
  readonly forkedFrom?: ForkedFrom
}
