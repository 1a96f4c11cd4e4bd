import type { AmbientAnswers } from './ambient-answers.ts'
import type { CheckpointPolicy } from './checkpoints/checkpoint-policy.ts'
import type { RecorderLimits } from './limits.ts'
import type { RunTelemetry } from './telemetry/telemetry.ts'

/** What a recorder was told of calls that are not all recorded alike. */
export interface RecordingPolicy {
  /** Whether a URL's host is one of those of which nothing is recorded. */
  readonly mutes: (url: string) => boolean
  readonly ambient: AmbientAnswers
  /** Whether stand-ins take the place of random bytes that the run draws: they have to be known before they come up in a body. */
  readonly standsInForDraws: boolean
  readonly limits: Required<RecorderLimits>
  /** Told the id of the run when it is cut because it went beyond a limit. */
  readonly onCut: (id: string) => void
  /** When checkpoints are taken beside those that the agent takes. Default: never. */
  readonly checkpoints?: CheckpointPolicy | undefined
  /** Told of the run as it goes on. Default: nobody is. */
  readonly telemetry?: RunTelemetry | undefined
}
