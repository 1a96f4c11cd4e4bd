import { it } from 'vitest'
import { expectReplays, ways } from './connect-ways.ts'

it.each(ways)('replays %s of a client of Connect with the server gone, twenty times of twenty', async (_form, way, steps) => {
  await expectReplays(way, steps, { compresses: false, times: 20 })
})

it.each(ways)('replays %s, compressed, of a client of Connect with the server gone, twenty times of twenty', async (_form, way, steps) => {
  await expectReplays(way, steps, { compresses: true, times: 20 })
})
