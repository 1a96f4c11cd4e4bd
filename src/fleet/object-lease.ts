import { builtins } from '../node/builtins.ts'
import { hasEnded, processName } from '../node/process-name.ts'
import type { Lease } from '../stores/trace-store.ts'
import { inParallel } from './in-parallel.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** The content of a lease object. */
interface Holding {
  readonly holder: string
  /** When the lease expires, in milliseconds since the epoch. */
  readonly until: number
  /** The name of the process that holds it. */
  readonly process?: string | undefined
}

/**
 * Takes a lease: `leases/<name>/<number>`. A process that finds the last lease expired, or its process ended, creates the next number; only
 * one of several can. The machines' clocks have to agree to within a few seconds.
 *
 * @returns Undefined while another process holds it.
 */
export async function takeLease(storage: ObjectStorage, name: string, milliseconds: number): Promise<Lease | undefined> {
  const holder = builtins.crypto.randomUUID()
  const prefix = `leases/${encodeURIComponent(name)}/`
  const write = (until: number): Uint8Array => Buffer.from(JSON.stringify({ holder, until, process: processName() } satisfies Holding))
  const last = (await numbersOf(storage, prefix)).at(-1)
  const held = last === undefined ? undefined : await readHolding(storage, prefix, last)
  if (held !== undefined && held.until > Date.now() && !hasEnded(held.process)) return undefined
  const own = (last ?? 0) + 1
  const isCreated = await storage.create(keyOf(prefix, own), write(Date.now() + milliseconds))
  // An earlier attempt of the same request may have succeeded and its answer been lost.
  if (!isCreated && (await readHolding(storage, prefix, own))?.holder !== holder) return undefined
  const numbers = await numbersOf(storage, prefix)
  if (numbers.at(-1) !== own) return undefined
  await inParallel(numbers.slice(0, -1), 8, (number) => storage.delete(keyOf(prefix, number)))
  let until = Date.now() + milliseconds
  return {
    async renew() {
      if (until < Date.now() || (await numbersOf(storage, prefix)).at(-1) !== own) return false
      until = Date.now() + milliseconds
      await storage.put(keyOf(prefix, own), write(until))
      return true
    },
    async release() {
      // The object stays: a process that listed the leases earlier could create the same number again.
      if ((await readHolding(storage, prefix, own))?.holder === holder) await storage.put(keyOf(prefix, own), write(0))
    },
  }
}

function keyOf(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(12, '0')}`
}

async function numbersOf(storage: ObjectStorage, prefix: string): Promise<number[]> {
  const pages = await Array.fromAsync(storage.list({ prefix }))
  const numbers = pages.flat().map(({ key }) => Number(key.slice(prefix.length)))
  return numbers.toSorted((one, other) => one - other)
}

async function readHolding(storage: ObjectStorage, prefix: string, number: number): Promise<Holding | undefined> {
  const bytes = await storage.get(keyOf(prefix, number))
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as Holding)
}
