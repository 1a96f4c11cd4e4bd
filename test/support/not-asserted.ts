import { expect } from 'vitest'
import type { RanTest } from './not-awaited.ts'

/**
 * Tests of a project. Their titles say what becomes of each where replays have to be asserted: `fails` or `passes`. Before them comes `play()`, which
 * begins a replay.
 */
export const NOT_ASSERTED_TESTS = `
test('fails: nothing', async () => {
  await play() // line: nothing
})
test('fails: kept in a variable', async () => {
  const run = await play()
  expect(run).toBeDefined()
})
test('fails: all of them awaited', async () => {
  await Promise.all([play(), play()])
})
test('fails: one of two', async () => {
  expect(await play()).toReplayWithoutDivergence()
  await play()
})
test('passes: the matcher', async () => {
  expect(await play()).toReplayWithoutDivergence()
})
test('passes: the matcher on a promise', async () => {
  await expect(play()).toReplayWithoutDivergence()
})
test('passes: another matcher', async () => {
  expect(await play()).not.toDivergeAt(1)
})
test('passes: the outcome', async () => {
  const { outcome } = await play()
  expect(outcome.status).toBe('returned')
})
test('passes: divergences', async () => {
  expect((await play()).divergences).toEqual([])
})
test('passes: an object like it', async () => {
  expect(await play()).toMatchObject({ divergences: [] })
})
test('passes: a replay that fails', async () => {
  await expect(play('no-such-golden')).rejects.toThrow('no-such-golden')
})
test('passes: no replay', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1))
})
describe('begun by a hook', () => {
  beforeAll(async () => {
    await play()
  })
  test('passes: a test that does not need it', async () => undefined)
})
`

/** Expects each test to have come to what its title says, and those that fail to say why and where. */
export function expectAssertedOnly(tests: readonly RanTest[]): void {
  expect(tests.filter(({ title, status }) => !title.startsWith(status === 'passed' ? 'passes' : 'fails'))).toEqual([])
  const failed = tests.filter(({ status }) => status === 'failed')
  expect([failed.length, tests.length]).toEqual([4, 13])
  for (const { failureMessages = [] } of failed) {
    const words = failureMessages.join('\n')
    expect(words).toMatch(/The test ended without looking at what came of the replay of "[^"]+", so it could not fail\./)
    expect(words).toMatch(/\n {2}at {2}\S*not-asserted\.test\.\w+:\d+:\d+\nAssert that it holds: expect\(run\)/)
  }
}

/** Expects all tests to pass, as they do without the option. */
export function expectAllPassed(tests: readonly RanTest[]): void {
  expect([tests.filter(({ status }) => status !== 'passed'), tests.length]).toEqual([[], 13])
}
