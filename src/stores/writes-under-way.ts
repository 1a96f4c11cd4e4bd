import path from 'node:path'
import { processWide } from '../node/process-wide.ts'

const writers = processWide('writes-under-way', () => new Map<string, () => Promise<unknown>>())

/** Data that recorders of this process have passed to a thread for writing, which readers in this process wait for. */
export const writesUnderWay = {
  /** @param written Resolves once the data for this directory has been written, or takes too long. */
  set(directory: string, written: () => Promise<unknown>): void {
    writers.set(path.resolve(directory), written)
  },
  /** Resolves once everything recorded in this process is in the directory. */
  async settled(directory: string): Promise<void> {
    await writers.get(path.resolve(directory))?.()
  },
}
