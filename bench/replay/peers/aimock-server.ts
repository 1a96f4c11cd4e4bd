import { PEER_PACKAGES } from './install.ts'

/** The part of a `@copilotkit/aimock` server that is used here. */
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
  /** Answers requests that no fixture matches with an error. */
  readonly strict?: boolean
  readonly record?: { readonly providers: { readonly openai: string }; readonly fixturePath: string }
}

/** Starts an aimock server on loopback: one that proxies a provider and records, or one that answers strictly from the recording. */
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
