import stringify from 'fast-json-stable-stringify'
import { PEER_PACKAGES } from '../../replay/peers/install.ts'
import { refuseOnce } from '../refuse-once.ts'
import type { Peer } from './peer-test.ts'

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

/**
 * aimock in strict mode: the model is its server, tools and customer are those of the world. Its test is one that a team would write: the desk
 * returns what it returned. A request that no fixture matches fails the desk, and so the test.
 */
export const aimock: Peer = {
  name: 'aimock',
  async record(scene, original, folder) {
    const { LLMock }: { LLMock: new (options: MockServerOptions) => MockServer } = await import(PEER_PACKAGES.aimock)
    const world = scene.openWorld()
    const proxy = new LLMock({ port: 0, record: { providers: { openai: new URL(world.context.baseUrl).origin }, fixturePath: folder } })
    await proxy.start()
    const recorded = await original(scene.input, { ...world.context, baseUrl: `${proxy.url}/v1` })
    await proxy.stop()

    const server = new LLMock({ port: 0, strict: true })
    server.loadFixtureDir(folder)
    await server.start()
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
