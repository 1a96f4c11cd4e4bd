import { expect, it, vi } from 'vitest'
import { type AdviceId, adviceIds } from '../../src/divergence/report/advice-ids.ts'
import { createAdvisedProject } from './advised-project.ts'
import { callCases } from './call-cases.ts'
import type { Follow } from './follow.ts'

// Some commands start processes.
vi.setConfig({ testTimeout: 60_000 })

/** A case for each advice: the types see to it that none is left out. */
const cases = { ...callCases } as Record<AdviceId, Follow>

it.each(adviceIds.filter((id) => id in cases))('ends as it promises: %s', async (id) => {
  const project = await createAdvisedProject()
  try {
    await cases[id](project)
    expect([...project.asked]).toContain(id)
  } finally {
    await project[Symbol.asyncDispose]()
  }
})
