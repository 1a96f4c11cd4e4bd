import { FIX } from '../support-agent/fix.ts'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from '../support-agent/scripts.ts'
import { startSupportWorld } from '../support-agent/start-world.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'

/** What a command has to come to for the story to go on. */
interface Expected {
  readonly status?: number
  /** Texts that its output has to have. */
  readonly shows: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}
