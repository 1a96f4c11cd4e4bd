import { replay } from 'goldenrun/vitest'
import { afterEach, expect, test, vi } from 'vitest'
import { greeting } from '../src/greeting.ts'
import { lookupAgent } from '../src/lookup.ts'

vi.mock('../src/greeting.ts', { spy: true })
afterEach(() => vi.mocked(greeting).mockReset())

test('a module of the agent that is spied on is seen in a replay', async () => {
  expect(await replay('busy-shop', lookupAgent)).toReplayWithoutDivergence()
  expect(greeting).toHaveBeenCalledExactlyOnceWith('Desk lamp')
})

test('a module of the agent that is mocked changes what the replay comes to', async () => {
  vi.mocked(greeting).mockReturnValue('The parcel')
  const run = await replay('busy-shop', lookupAgent)
  expect(run.outcome).toMatchObject({ status: 'returned', output: { reply: 'The parcel is on its way.' } })
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['outcome'])
})
