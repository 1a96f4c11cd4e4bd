import { expect, it } from 'vitest'
import { expectPages } from './world/expect-pages.ts'
import { startS3World } from './world/s3-world.ts'

it('lists more objects than a page of the server itself has', async () => {
  await using world = await startS3World()
  await expectPages(world, 2100)
  expect(world.requests.filter(({ method, key }) => method === 'GET' && key === '')).toHaveLength(3)
})
