import { PEER_PACKAGES } from './install.ts'
import type { Peer } from './peer.ts'

/** The part of `@pollyjs/core` that is used here. */
interface Polly {
  stop(): Promise<void>
}

interface PollyOptions {
  readonly mode: 'record' | 'replay'
  readonly adapters: readonly unknown[]
  readonly persister: unknown
  readonly recordIfMissing: boolean
  readonly logLevel: 'silent'
}

type PersisterClass = new (polly: unknown) => object

/** Patches the global `fetch`, keeps the recording in memory, and refuses requests that it has not recorded. */
export const polly: Peer = {
  name: 'polly',
  async record(agent, providerUrl) {
    const { Polly }: { Polly: new (name: string, options: PollyOptions) => Polly } = await import(PEER_PACKAGES.polly)
    const adapter = await importDefault(PEER_PACKAGES.pollyAdapter)
    const persister = createPersister((await importDefault(PEER_PACKAGES.pollyPersister)) as PersisterClass)
    const answer = async (mode: 'record' | 'replay', answered: typeof agent): Promise<void> => {
      const recording = new Polly('calls', { mode, adapters: [adapter], persister, recordIfMissing: false, logLevel: 'silent' })
      try {
        await answered(providerUrl)
      } finally {
        await recording.stop()
      }
    }
    await answer('record', agent)
    return { replay: (replayed) => answer('replay', replayed), close: async () => undefined }
  },
}

/** Its own in-memory persister is not published: this follows its documentation. */
function createPersister(Persister: PersisterClass): PersisterClass {
  const recordings = new Map<string, unknown>()
  return class MemoryPersister extends Persister {
    static get id(): string {
      return 'memory'
    }

    onFindRecording(id: string): unknown {
      return recordings.get(id) ?? null
    }

    onSaveRecording(id: string, recording: unknown): void {
      recordings.set(id, recording)
    }

    onDeleteRecording(id: string): void {
      recordings.delete(id)
    }
  }
}

/** Imports a module whose CommonJS build may have its default export inside the `default` that Node sees. */
async function importDefault(name: string): Promise<unknown> {
  const { default: exported }: { default: unknown } = await import(name)
  return typeof exported === 'object' && exported !== null && 'default' in exported ? exported.default : exported
}
