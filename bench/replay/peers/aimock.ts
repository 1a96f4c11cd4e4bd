import { startMockServer } from './aimock-server.ts'
import type { Peer } from './peer.ts'

/** A mock server on loopback that records as a proxy. One server answers all replays, as its documentation recommends. */
export const aimock: Peer = {
  name: 'aimock',
  async record(agent, providerUrl, folder) {
    const proxy = await startMockServer({ recordFrom: providerUrl }, folder)
    await agent(`${proxy.url}/v1`)
    await proxy.stop()
    const server = await startMockServer('strict', folder)
    return {
      async replay(replayed) {
        server.clearRequests()
        server.resetMatchCounts()
        await replayed(`${server.url}/v1`)
      },
      close: () => server.stop(),
    }
  },
}
