import path from 'node:path'
import { processWide } from '../node/process-wide.ts'

const writers = processWide('writes-under-way', () => new Map<string, () => Promise<unknown>>())

/** Data that recorders of this process have passed to a writing thread. Readers in this process wait for it. */
export const writesUnderWay = {
  /** @param written Resolves when the data for this directory has been written, or takes too long. */
  set(directory: string, written: () => Promise<unknown>): void {
    writers.set(path.resolve(directory), written)
  },
  /** Resolves when everything that this process recorded is in the directory. */
  async settled(directory: string): Promise<void> {
    await writers.get(path.resolve(directory))?.()
  },
}
