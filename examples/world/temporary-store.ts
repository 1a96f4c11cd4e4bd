import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listTraces, readTrace, type Trace } from 'goldenrun/replay'

/** A folder for recordings, which is removed with all that is in it. */
export interface TemporaryStore extends AsyncDisposable {
  readonly folder: string
  /** The run that was recorded last. */
  newest(): Promise<Trace>
}

/** Makes a folder for the recordings of an example. */
export async function createTemporaryStore(): Promise<TemporaryStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-example-'))
  return {
    folder,
    async newest() {
      const newest = (await listTraces({ store: folder })).at(-1)
      if (newest === undefined) throw new Error(`There is no recording in ${folder}.`)
      return await readTrace(newest.id, { store: folder })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
