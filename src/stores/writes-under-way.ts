import path from 'node:path'
import { processWide } from '../node/process-wide.ts'

const writers = processWide('writes-under-way', () => new Map<string, () => Promise<unknown>>())

/** What recorders of this process have handed to another thread to write: whoever reads here waits for it. */
export const writesUnderWay = {
  /** @param written Resolves once what was handed over for this directory has been written, or takes too long. */
  set(directory: string, written: () => Promise<unknown>): void {
    writers.set(path.resolve(directory), written)
  },
  /** Resolves once what was recorded in this process is in a directory. */
  async settled(directory: string): Promise<void> {
    await writers.get(path.resolve(directory))?.()
  },
}
