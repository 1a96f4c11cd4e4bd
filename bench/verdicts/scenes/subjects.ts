import { coding } from './coding.ts'
import { framework } from './framework.ts'
import { payments } from './payments.ts'
import { research } from './research.ts'
import type { Subject } from './subject.ts'
import { support } from './support.ts'
import { team } from './team.ts'

/** The agents that are mutated. */
export const SUBJECTS: readonly Subject[] = [support, research, coding, payments, framework, team]
