import stringify from 'fast-json-stable-stringify'
import { startMockServer } from '../../replay/peers/aimock-server.ts'
import { refuseOnce } from '../refuse-once.ts'
import type { Peer } from './peer-test.ts'

/**
 * aimock in strict mode: the model is its server, tools and customer are those of the world. Its test is one that a team would write: the desk
 * returns what it returned. A request that no fixture matches fails the desk, and so the test.
 */
export const aimock: Peer = {
  name: 'aimock',
  async record(scene, original, folder) {
    const world = scene.openWorld()
    const proxy = await startMockServer({ recordFrom: world.context.baseUrl }, folder)
    const recorded = await original(scene.input, { ...world.context, baseUrl: `${proxy.url}/v1` })
    await proxy.stop()
    const server = await startMockServer('strict', folder)
    return {
      async isRed(desk) {
        server.clearRequests()
        server.resetMatchCounts()
        const restore = refuseOnce()
        try {
          const output = await desk(scene.input, { ...scene.openWorld().context, baseUrl: `${server.url}/v1` })
          return stringify(output) !== stringify(recorded)
        } catch {
          return true
        } finally {
          restore()
        }
      },
      close: () => server.stop(),
    }
  },
}
