import { replay } from 'goldenrun/replay'
import { expect, it } from 'vitest'
import { recordCalls } from '../../bench/replay/record-calls.ts'
import { createStepsAgent, type StepsInput } from '../../bench/replay/steps-agent.ts'
import { profileVerdict } from '../../bench/verdicts/verdict-share.ts'
import { Matcher } from '../../src/replay/judge/matcher.ts'

const STEPS = 10

/** Keeps the thread busy for far longer than a step takes. It reads no clock, since a replay has its own. */
function dawdle(): number {
  let sum = 0
  for (let count = 0; count < 3_000_000; count += 1) sum = (sum + count) % 1_000_003
  return sum
}

async function shareWith(agent: (input: StepsInput) => Promise<unknown>): Promise<number> {
  const golden = await recordCalls(STEPS)
  const replayOnce = async (): Promise<void> => {
    const { divergences } = await replay(golden, agent)
    expect(divergences).toEqual([])
  }
  // The first replay loads code.
  await replayOnce()
  const { verdict, all } = await profileVerdict(replayOnce)
  return verdict / all
}

it("counts a slow judge as the verdict's time", async () => {
  const { groupOf } = Matcher.prototype
  Matcher.prototype.groupOf = function (this: Matcher, ...args) {
    dawdle()
    return groupOf.apply(this, args)
  }
  try {
    expect(await shareWith(createStepsAgent())).toBeGreaterThan(0.5)
  } finally {
    Matcher.prototype.groupOf = groupOf
  }
})

it("does not count a slow agent as the verdict's time", async () => {
  const agent = createStepsAgent()
  const slow = async (input: StepsInput): Promise<unknown> => {
    for (let step = 0; step < STEPS; step += 1) dawdle()
    return await agent(input)
  }
  expect(await shareWith(slow)).toBeLessThan(0.5)
})
