import { expect, it } from 'vitest'
import { matchers } from '../../src/matchers/runner-matchers.ts'
import type { MatchContext, MatchResult } from '../../src/matchers/matcher-types.ts'
import { holdsSubset } from '../../src/matchers/subset.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { replay, rerun } from '../../src/vitest.ts'
import { recordRun } from '../support/record-run.ts'

const fetchToken = external('fetch_token', async () => 'token-1')
const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const cancel = tool('cancel', { effect: 'write' }, async (id: string) => ({ id }))

/** An agent that does the same whenever it runs. */
async function steady(): Promise<string> {
  const { id } = await look(`ord_${Math.random()}`)
  checkpoint('found', { id })
  await cancel(id)
  return 'done'
}

/** An agent whose process keeps a token, as production code does, once it has one. */
function withToken(): () => Promise<unknown> {
  let token: Promise<string> | undefined
  return async () => {
    token ??= fetchToken()
    await token
    return await look('ord_1')
  }
}

/** An agent that does something else each time. */
function counting(): () => Promise<unknown> {
  let count = 0
  return async () => {
    await look('ord_1')
    return await cancel(`ord_${(count += 1)}`)
  }
}

const context: MatchContext = { isNot: false, color: false, width: 110, matches: holdsSubset, difference: () => [] }

it('finds an agent that does the same each time to come to one hash, that of its trace', async () => {
  const { trace } = await recordRun(steady)
  const { replays, hashes, divergence } = await rerun(trace, steady, { times: 20 })
  expect(replays).toHaveLength(20)
  expect(hashes).toEqual([trace.hash])
  expect(divergence).toBeUndefined()
})

it('names the first step at which an agent differs from itself with the same answers', async () => {
  const { trace } = await recordRun(counting())
  const { hashes, divergence } = await rerun(trace, counting(), { times: 3 })
  expect(hashes).toHaveLength(3)
  expect(divergence).toMatchObject({
    cause: 'nondeterminism',
    step: 2,
    position: 'at',
    name: 'cancel',
    parts: ['args'],
    differences: [{ path: 'args', part: 'args', expected: 'ord_1', received: 'ord_2' }],
  })
  expect(divergence?.processState).toBeUndefined()
})

it('says process state, and which call to declare, where only the first replay made a call', async () => {
  const { trace } = await recordRun(withToken())
  const agent = withToken()
  const { divergence, hashes } = await rerun(trace, agent, { times: 4 })
  expect(hashes).toHaveLength(2)
  expect(divergence).toMatchObject({ cause: 'nondeterminism', step: 1, name: 'fetch_token', processState: 'fetch_token' })

  const result = await rerunIdentically(await replay(trace, withToken()), 4)
  expect(result.pass).toBe(false)
  expect(result.message()).toContain(
    'Only one of them called fetch_token: this is process state, something that the process keeps from one run to the next.',
  )
  expect(result.message()).toContain("{ ambient: ['fetch_token'] })")

  const declared = await rerun(trace, withToken(), { times: 4, ambient: ['fetch_token'] })
  expect(declared.hashes).toHaveLength(1)
})

it('is about the agent, whatever the trace says', async () => {
  const { trace } = await recordRun(steady)
  const { replays, hashes, divergence } = await rerun(trace, async () => await look('another order'), { times: 2 })
  expect(replays.every(({ divergences }) => divergences.length > 0)).toBe(true)
  expect(hashes).toHaveLength(1)
  expect(divergence).toBeUndefined()
})

it.each([1, 0, 2.5, Number.NaN])('refuses to compare %d replays', async (times) => {
  const { trace } = await recordRun(steady)
  await expect(rerun(trace, steady, { times })).rejects.toThrow('times')
  await expect(rerunIdentically(await replay(trace, steady), times)).rejects.toThrow('times')
})

it('passes on a run that does the same each time, and says so when it should not have', async () => {
  const { trace } = await recordRun(steady)
  const result = await rerunIdentically(await replay(trace, steady), 5)
  expect(result.pass).toBe(true)
  expect(result.message()).toMatch(/to do the same in 5 replays, but it did\.$/)
})

it('says where an agent differs from itself', async () => {
  const { trace } = await recordRun(counting())
  const result = await rerunIdentically(await replay(trace, counting(), { onDivergence: 'continue' }), 2)
  expect(result.pass).toBe(false)
  expect(result.message().replaceAll(trace.header.id, 'ID')).toMatchInlineSnapshot(`
    "Expected "ID" to do the same in 2 replays, but they gave 2 different runs.

    Failed to replay "ID": step 2 diverged (nondeterminism).

        1  tool      look("ord_1") → {"id":"ord_1"}
    >   2  tool      cancel("ord_1") → {"id":"ord_1"}

    Two replays of the same trace differ.
        args
          first     "ord_1"
          later     "ord_2"

    To see the recorded run: npx goldenrun show ID
    Tools do not run in a replay. If they change what the agent has in memory, run them:
      replay('ID', agent, { tools: { look: 'run', cancel: 'run' } })"
  `)
})

it('passes on no run that was stopped, negated or not', async () => {
  const { trace } = await recordRun(steady)
  const stopped = await replay(trace, async () => await look('another order'))
  expect((await rerunIdentically(stopped, 2)).pass).toBe(false)
  expect((await matchers.toRerunIdentically({ ...context, isNot: true }, stopped, { times: 2 })).pass).toBe(true)
})

it('works on a promise of a run in the runner', async () => {
  const { trace } = await recordRun(steady)
  await expect(replay(trace, steady)).toRerunIdentically({ times: 3 })
  const counted = (await recordRun(counting())).trace
  await expect(replay(counted, counting(), { onDivergence: 'continue' })).not.toRerunIdentically({ times: 3 })
  const failing = expect(replay(counted, counting(), { onDivergence: 'continue' })).toRerunIdentically({ times: 3 })
  await expect(failing).rejects.toThrow('nondeterminism')
})

function rerunIdentically(run: Awaited<ReturnType<typeof replay>>, times: number): Promise<MatchResult> {
  return matchers.toRerunIdentically(context, run, { times })
}
