import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { listenShop } from './shop-server.ts'
import { talk } from '../../support/grpc-runs.ts'

it('replays a client in a minified bundle', async () => {
  await using directory = await createTemporaryDirectory()
  const entry = fileURLToPath(new URL('shop-server.ts', import.meta.url))
  const file = directory.resolve('bundle.mjs')
  await build({ input: entry, platform: 'node', output: { file, format: 'esm', minify: true } })
  const bundled = (await import(file)) as typeof import('./shop-server.ts')
  const server = await listenShop()
  const agent = async (): Promise<unknown> => {
    const client = bundled.createShopClient(server.host)
    const heard = [await bundled.getOrder(client, 'one'), await talk(client, ['a', 'b']), Date.now()]
    client.close()
    return heard
  }
  const { trace, output } = await recordRun(agent)
  expect([rowsOf(trace, 'note'), trace.steps.length]).toEqual([[], 5])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})
