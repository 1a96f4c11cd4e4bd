import type { Muting } from '../http/telemetry/muting.ts'
import type { AmbientAnswers } from './ambient-answers.ts'
import type { CheckpointPolicy } from './checkpoints/checkpoint-policy.ts'
import type { RecorderLimits } from './limits.ts'
import type { RunTelemetry } from './telemetry/telemetry.ts'

/** How a recorder treats calls that are not all recorded in the same way. */
export interface RecordingPolicy {
  /** Decides which requests are not recorded. */
  readonly muting: Muting
  /** Called for each request that is not recorded. */
  readonly onMuted: () => void
  readonly ambient: AmbientAnswers
  /** Whether stand-ins replace the random bytes that the run draws: they have to be known before they appear in a body. */
  readonly standsInForDraws: boolean
  readonly limits: Required<RecorderLimits>
  /** Called with the id of a run that is cut because it exceeded a limit. */
  readonly onCut: (id: string) => void
  /** When to take checkpoints in addition to the agent's own. Default: never. */
  readonly checkpoints?: CheckpointPolicy | undefined
  /** Observes the run while it is recorded. Default: none. */
  readonly telemetry?: RunTelemetry | undefined
}
