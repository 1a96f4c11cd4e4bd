import { PEER_PACKAGES } from './install.ts'
import type { Peer } from './peer.ts'

/** The part of `nock` that is used here. */
interface Nock {
  /** Removes the patches, which importing the package has already applied. */
  restore(): void
  cleanAll(): void
  readonly back: {
    (fixture: string): Promise<{ nockDone(): void }>
    setMode(mode: 'lockdown' | 'record'): void
    fixtures: string
  }
}

/** Records into a fixture file and answers from it in `lockdown`, its mode for a test run that must not reach the network. */
export const nock: Peer = {
  name: 'nock',
  async record(agent, providerUrl, folder) {
    const { default: patched }: { default: Nock } = await import(PEER_PACKAGES.nock)
    const { back } = patched
    const answer = async (mode: 'lockdown' | 'record', answered: typeof agent): Promise<void> => {
      back.setMode(mode)
      back.fixtures = folder
      const { nockDone } = await back('calls.json')
      try {
        await answered(providerUrl)
        nockDone()
      } finally {
        // Its patches would affect the next contestant.
        patched.cleanAll()
        patched.restore()
      }
    }
    await answer('record', agent)
    return { replay: (replayed) => answer('lockdown', replayed), close: async () => undefined }
  },
}
