import stringify from 'fast-json-stable-stringify'
import { startMockServer } from '../../replay/peers/aimock-server.ts'
import { refuseOnce } from '../refuse-once.ts'
import type { Peer } from './peer-test.ts'

/**
 * aimock in strict mode: its server is the model, and the world provides tools and customer. The test is one that a team would write: the agent
 * returns the same as before. A request that no fixture matches fails the agent, and thereby the test.
 */
export const aimock: Peer = {
  name: 'aimock',
  async record(server, scene, original, folder) {
    const world = server.open(scene.createScript())
    const proxy = await startMockServer({ recordFrom: `${world.context.url}/v1` }, folder)
    const recorded = await original(scene.input, { ...world.context, url: proxy.url })
    await proxy.stop()
    const mock = await startMockServer('strict', folder)
    return {
      async isRed(agent) {
        mock.clearRequests()
        mock.resetMatchCounts()
        const restore = refuseOnce()
        const tried = server.open(scene.createScript())
        try {
          const output = await agent(scene.input, { ...tried.context, url: mock.url })
          return stringify(output) !== stringify(recorded)
        } catch {
          return true
        } finally {
          restore()
          server.close(tried)
        }
      },
      close: () => mock.stop(),
    }
  },
}
