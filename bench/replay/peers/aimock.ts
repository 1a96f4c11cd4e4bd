import { PEER_PACKAGES } from './install.ts'
import type { Peer } from './peer.ts'

/** What is used of `@copilotkit/aimock`. */
interface MockServer {
  readonly url: string
  start(): Promise<unknown>
  stop(): Promise<void>
  loadFixtureDir(folder: string): unknown
  clearRequests(): void
  resetMatchCounts(): unknown
}

interface MockServerOptions {
  readonly port: number
  /** Answers what no fixture matches with an error. */
  readonly strict?: boolean
  readonly record?: { readonly providers: { readonly openai: string }; readonly fixturePath: string }
}

/** A mock server on loopback that records as a proxy. One server answers all replays, as its documentation has it. */
export const aimock: Peer = {
  name: 'aimock',
  async record(agent, providerUrl, folder) {
    const { LLMock }: { LLMock: new (options: MockServerOptions) => MockServer } = await import(PEER_PACKAGES.aimock)
    const proxy = new LLMock({ port: 0, record: { providers: { openai: new URL(providerUrl).origin }, fixturePath: folder } })
    await proxy.start()
    await agent(`${proxy.url}/v1`)
    await proxy.stop()

    const server = new LLMock({ port: 0, strict: true })
    server.loadFixtureDir(folder)
    await server.start()
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
