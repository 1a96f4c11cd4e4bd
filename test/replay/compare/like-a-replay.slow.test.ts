import { expect, it } from 'vitest'
import { edits } from '../../edits/edits.ts'
import { recordPrograms } from '../../edits/record-programs.ts'
import { startWorld } from '../../edits/world.ts'
import { expectOwnVerdicts } from './edited-replays.ts'

it(`comes to the replay's own verdict, for ${edits.length} edits of an agent`, async () => {
  await using world = await startWorld()
  expect(edits.length).toBeGreaterThan(50)
  expect(await expectOwnVerdicts(world, await recordPrograms(world, [1, 2]), edits)).toBeGreaterThan(100)
})
