import type { Subject } from './subject.ts'
import { support } from './support.ts'

/** The agents that are mutated. */
export const SUBJECTS: readonly Subject[] = [support]
