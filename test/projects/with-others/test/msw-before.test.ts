import { asked, server } from './start-server.ts'
import { replay } from 'goldenrun/vitest'
import { expect, test } from 'vitest'
import { lookupAgent } from '../src/lookup.ts'
import { supportAgent } from '../src/agent.ts'

// A server of the user's that listens before goldenrun is loaded by the test.

test('replays are answered from their traces, past the server', async () => {
  const runs = await Promise.all([replay('busy-shop', lookupAgent), replay('cancel-unshipped', supportAgent)])
  for (const run of runs) expect(run).toReplayWithoutDivergence()
  expect(asked).toEqual([])
})

test('outside of a run the server answers', async () => {
  const response = await fetch('https://shop.example/status')
  expect(await response.text()).toBe('open')
})

test('when the server is closed, replays are answered still', async () => {
  server.close()
  expect(await replay('busy-shop', lookupAgent)).toReplayWithoutDivergence()
})
