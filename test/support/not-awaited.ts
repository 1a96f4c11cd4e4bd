import { expect } from 'vitest'

/**
 * Tests of a project. What a runner should say of each stands in its title: `fails` or `passes`. Before them come `play(name?)`, which begins a replay, and
 * `playConcurrently()`, the same for tests that begin before hooks.
 */
export const NOT_AWAITED_TESTS = `
const holds = (name) => expect(play(name))

test('fails: the assertion', async () => {
  holds().toReplayWithoutDivergence() // line: assertion
})
test('fails: the assertion, in a test that is not asynchronous', () => {
  holds().toReplayWithoutDivergence()
})
test('fails: the assertion about a golden that does not exist', async () => {
  holds('no-such-golden').toReplayWithoutDivergence()
})
test('fails: another assertion', async () => {
  holds().not.toDivergeAt(1)
})
test('fails: the replay', async () => {
  play()
})
test('fails: one of two', async () => {
  await holds().toReplayWithoutDivergence()
  holds().toReplayWithoutDivergence()
})
test('passes: awaited', async () => {
  await holds().toReplayWithoutDivergence()
})
test('passes: returned', () => holds().toReplayWithoutDivergence())
test('passes: awaited later', async () => {
  const run = play()
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(await run).toReplayWithoutDivergence()
})
test('passes: two at once', async () => {
  await Promise.all([holds().toReplayWithoutDivergence(), holds().toReplayWithoutDivergence()])
})

describe('begun by a hook', () => {
  let run
  beforeAll(() => {
    run = play()
  })
  test('passes: a test that does not need it', () => undefined)
  test('passes: a test that awaits it', async () => {
    expect(await run).toReplayWithoutDivergence()
  })
})

describe('at the same time', () => {
  test.concurrent.each([1, 2, 3])('passes: concurrent %i', async (milliseconds) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    await expect(playConcurrently()).toReplayWithoutDivergence()
  })
})
`

/** A test of a runner's JSON. */
export interface RanTest {
  readonly title: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}

/** Expects each test to have come to what its title says, and those that fail to say why and where. */
export function expectAwaitedOnly(tests: readonly RanTest[]): void {
  expect(tests.filter(({ title, status }) => !title.startsWith(status === 'passed' ? 'passes' : 'fails'))).toEqual([])
  const failed = tests.filter(({ status }) => status === 'failed')
  expect([failed.length, tests.length]).toEqual([6, 15])
  for (const { title, failureMessages = [] } of failed) {
    const what = title === 'fails: the replay' ? /the replay of "[^"]+"/ : /an assertion/
    const words = failureMessages.join('\n')
    expect(words).toMatch(new RegExp(`The test ended while ${what.source} was still in progress, so it could not fail\\.`))
    expect(words).toMatch(/\n {2}at {2}\S*not-awaited\.test\.\w+:\d+:\d+\nAwait it: await /)
  }
}
