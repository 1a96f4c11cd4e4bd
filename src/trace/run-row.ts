import type { Boundary } from './boundary.ts'

/**
 * How much of the run a trace holds, from most to least: `wire` (own recording), `chunk`, `message`, `tool`, `outline` (imports).
 */
export type Fidelity = 'wire' | 'chunk' | 'message' | 'tool' | 'outline'

/** What a golden trace asserts. */
export type Expectation =
  | { readonly replay: 'same' }
  | {
      readonly replay: 'departs'
      /**
       * The step whose outcome made the incident happen, or `input` where the run went wrong from its input on. Default, in goldens of format 1: the
       * first of the repeated calls, else the last step that had settled before `at`.
       */
      readonly trigger?: number | 'input'
      /** The step that must not happen again. */
      readonly at: number
      /** Answers for the calls that the agent makes after the trigger and that have no recorded counterpart, by tool, host or boundary name. */
      readonly answers?: Readonly<Record<string, unknown>>
      /** Matchers, by name with arguments, that the run has to pass. */
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
}

/** What promotion adds to a header. */
export interface Golden {
  readonly name: string
  readonly description?: string
  /** What a person expects of the run, in a sentence; the report prints it. */
  readonly expectedOutcome?: string
  readonly expect: Expectation
  /** ISO 8601. */
  readonly promotedAt: string
  /** The id of the recording that was promoted. */
  readonly promotedFrom: string
  /** The name of the golden of the run before it in its conversation, which is replayed first. Absent for the first of one, and for a run alone. */
  readonly follows?: string
  /** ISO 8601, when inputs were last taken over from changed code. */
  readonly rebasedAt?: string
}

/** Where a run ran. */
export interface Runtime {
  readonly node: string
  readonly goldenrun: string
  readonly timeZone: string
  readonly locale: string
  /** Environment variables that the configuration names, with their values; null where one was not set. */
  readonly env: Readonly<Record<string, string | null>>
  /** `NODE_ENV`, null where it was not set. A replay has its own: this is for the report. Absent in traces that were recorded before. */
  readonly nodeEnv?: string | null
}

/**
 * What was agreed with providers and tools when the run was recorded: another model or tool schema is drift. Empty in a recording; promotion reads
 * it off the model calls. Hashes are of redacted text.
 */
export interface Contracts {
  readonly models: readonly string[]
  /** SHA-256 (hex) of each distinct system prompt, in order of first use. */
  readonly systemPrompts: readonly string[]
  /** SHA-256 (hex) of each tool's schema, by tool name. */
  readonly tools: Readonly<Record<string, string>>
}

/** What redacted a trace, and how many stand-ins it holds: a replay redacts its live side in the same way. */
export interface RedactionRecord {
  /** Names of the rules that ran, built-in and own. */
  readonly rules: readonly string[]
  readonly standIns: number
  /** Own rules, as far as they can be written down. */
  readonly own?: readonly OwnRule[]
  /** What is public though a rule finds it. */
  readonly keep?: readonly KeptPublic[]
  /** Present when random bytes that the run drew were taken out. */
  readonly draws?: 'stand-in'
}

/** A rule of the user's: by path, by pattern, or by a function, which cannot be written down. */
export interface OwnRule {
  readonly name: string
  readonly path?: string
  /** The source of a regular expression. */
  readonly pattern?: string
  readonly flags?: string
}

/** A value that is public, whatever its case, or the source of a regular expression for such values. */
export type KeptPublic = { readonly text: string } | { readonly pattern: string; readonly flags?: string }

/** An answer to a call that a process makes once for many runs. */
export interface AmbientAnswer {
  readonly boundary: Boundary
  readonly name: string
  readonly input: unknown
  /** As the `output` of a step. */
  readonly output: unknown
}

/** The name of a `signal` row whose value is an `AmbientAnswer`: another run was answered, for which this one may have waited too. */
export const ambientSignal = 'ambient'

/** Calls that belong to the process more than to the run: a token, a key set, a prompt template. */
export interface Ambient {
  /** Hosts, and names of tools and externals. */
  readonly names: readonly string[]
  /** The latest answers from before this run. */
  readonly answers: readonly AmbientAnswer[]
}

/** How a replay came to its trace. */
export interface ReplayRecord {
  /** Names of the tools whose functions ran. What the others did in their bodies when they were recorded is not in the trace. */
  readonly ran: readonly string[]
}

/** Which files outside the project a run's trace has. */
export interface RecordedFiles {
  /** Absolute patterns of paths: `/data/**`. */
  readonly record: readonly string[]
  /** The longest content that was kept. */
  readonly maxBytes: number
}

/** What a fork was made of. */
export interface ForkedFrom {
  /** The id of the run. */
  readonly id: string
  /** The first step that is not of that run. */
  readonly step: number
  /** What was changed, as far as it can be written down. */
  readonly edit?: Readonly<Record<string, unknown>>
  /** The route of each call from that step on: recorded, sandbox, run, live. */
  readonly routes: Readonly<Record<string, string>>
}

/** Where a resumed run started. */
export interface ResumedFrom {
  /** The id of the run. */
  readonly id: string
  readonly checkpoint: string
  /** The agent's state there. */
  readonly state: unknown
  /** Milliseconds since that run started. */
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
  readonly input: unknown
  readonly tags?: Readonly<Record<string, string>>
  /** ISO 8601 with milliseconds. */
  readonly startedAt: string
  readonly runtime: Runtime
  readonly contracts: Contracts
  readonly fidelity: Fidelity
  readonly redaction: RedactionRecord
  /** Request headers that are kept and compared beside those that always carry meaning; in lower case. */
  readonly compareHeaders?: readonly string[]
  readonly ambient?: Ambient
  /** Hosts of which nothing was recorded, beside the well-known ones of telemetry. */
  readonly muted?: readonly string[]
  readonly files?: RecordedFiles
  readonly golden?: Golden
  /** Present in the trace of a replay. */
  readonly replay?: ReplayRecord
  /** Present in the trace of a resumed run. */
  readonly resumedFrom?: ResumedFrom
  /** Present in the trace of a fork. */
  readonly forkedFrom?: ForkedFrom
}
