import type { Spool } from '../../../src/fleet/shipper.ts'
import type { RunMaker } from './synthetic-runs.ts'

/** A spool whose runs are made when they are read, so that a million of them need no disk. */
export interface MadeSpool extends Spool {
  /** How many are left. */
  readonly left: number
}

/** @param count How many runs it has: those that the maker makes of the numbers from 0. */
export function createMadeSpool(maker: RunMaker, count: number): MadeSpool {
  const removed = new Uint8Array(count)
  let left = count
  const isThere = (number: number): boolean => number < count && removed[number] === 0
  return {
    get left() {
      return left
    },
    open: () => {
      throw new Error('Nothing is recorded into this store.')
    },
    list: async () => {
      throw new Error('A shipper finds runs, and lists none.')
    },
    read: async () => undefined,
    async find({ before, limit = Infinity }) {
      const runs = []
      for (let number = before === undefined ? count - 1 : numberOf(before) - 1; number >= 0 && runs.length < limit; number -= 1)
        if (isThere(number)) runs.push(maker.summarize(number))
      return { runs, unreadable: [] }
    },
    async readLog(id) {
      const number = numberOf(id)
      if (!isThere(number)) return undefined
      // Lines as earlier releases wrote them: a log of its own for each run would take longer to compress than everything else.
      const bytes = Buffer.from(maker.make(number).lines)
      return {
        id,
        file: id,
        size: bytes.length,
        bytes: async () => bytes,
        async *stream() {
          yield bytes
        },
      }
    },
    async removeMany(ids) {
      const found = ids.filter((id) => isThere(numberOf(id)))
      for (const id of found) removed[numberOf(id)] = 1
      left -= found.length
      return found
    },
  }
}

/** The id of a synthetic run ends with its number. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16)
}
