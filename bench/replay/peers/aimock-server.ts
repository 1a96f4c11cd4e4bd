import { PEER_PACKAGES } from './install.ts'

/** What is used of a server of `@copilotkit/aimock`. */
export interface MockServer {
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

/** Starts a server of aimock on loopback: one that records what it passes on to a provider, or one that answers strictly from what was recorded. */
export async function startMockServer(options: { readonly recordFrom: string } | 'strict', folder: string): Promise<MockServer> {
  const { LLMock }: { LLMock: new (options: MockServerOptions) => MockServer } = await import(PEER_PACKAGES.aimock)
  const server =
    options === 'strict'
      ? new LLMock({ port: 0, strict: true })
      : new LLMock({ port: 0, record: { providers: { openai: new URL(options.recordFrom).origin }, fixturePath: folder } })
  if (options === 'strict') server.loadFixtureDir(folder)
  await server.start()
  return server
}
