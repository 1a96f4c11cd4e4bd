import { expect, it, vi } from 'vitest'
import { type AdviceId, adviceIds } from '../../src/divergence/report/advice-ids.ts'
import { createAdvisedProject } from './advised-project.ts'
import { callCases } from './call-cases.ts'
import { contactCases } from './contact-cases.ts'
import type { Follow, InVitest } from './follow.ts'
import { incidentCases } from './incident-cases.ts'
import { nativeCases } from './native-cases.ts'
import { toolCases } from './tool-cases.ts'
import { processCases } from './process-cases.ts'
import { unreproducedCases } from './unreproduced-cases.ts'

// Some commands start processes.
vi.setConfig({ testTimeout: 120_000 })

/** A case for each advice: the types see to it that none is left out. */
const cases: Readonly<Record<Exclude<AdviceId, InVitest>, Follow>> = {
  ...callCases,
  ...contactCases,
  ...incidentCases,
  ...nativeCases,
  ...processCases,
  ...toolCases,
  ...unreproducedCases,
}

const isElsewhere = (id: string): boolean => id in nativeCases && process.platform !== 'linux'

it.for(adviceIds.flatMap((id) => (id in cases ? [id as keyof typeof cases] : [])))('ends as it promises: %s', async (id, { skip }) => {
  skip(isElsewhere(id), 'Only Linux says what native code has open.')
  const project = await createAdvisedProject()
  try {
    await cases[id](project)
    expect([...project.asked]).toContain(id)
  } finally {
    await project[Symbol.asyncDispose]()
  }
})
