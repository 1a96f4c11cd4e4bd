import { builtins } from '../node/builtins.ts'
import { hasEnded, processName } from '../node/process-name.ts'
import type { Lease } from '../stores/trace-store.ts'
import { inParallel } from './in-parallel.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import { wait } from './storage/retry.ts'

/** The content of a lease object. */
interface Holding {
  readonly holder: string
  /** When the lease expires, in milliseconds since the epoch. */
  readonly until: number
  /** The name of the process that holds it. */
  readonly process?: string | undefined
}

/**
 * How long half of a lease counts as held, since its writer may be about to write it again, and how long that may take. In milliseconds.
 */
const HALF_WRITTEN = 10_000
const WRITTEN_AGAIN = 5_000

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
  if (last !== undefined && (await isHeld(storage, keyOf(prefix, last)))) return undefined
  const own = (last ?? 0) + 1
  const [content, begun] = [write(Date.now() + milliseconds), performance.now()]
  const isCreated = (await storage.create(keyOf(prefix, own), content)) || (await isOwn(storage, keyOf(prefix, own), content, begun))
  if (!isCreated) return undefined
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
      const held = await readHolding(storage, keyOf(prefix, own))
      if (held !== 'half' && held?.holder === holder) await storage.put(keyOf(prefix, own), write(0))
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

/** Whether a process holds a lease. A lease of which only half is there is free once it has stayed like that: its writer died. */
async function isHeld(storage: ObjectStorage, key: string): Promise<boolean> {
  const { abandoned } = storage
  let held = await readHolding(storage, key)
  if (held === 'half') {
    await wait(HALF_WRITTEN, abandoned)
    held = await readHolding(storage, key)
  }
  if (held === undefined) return false
  return held === 'half' ? abandoned.aborted : held.until > Date.now() && !hasEnded(held.process)
}

/**
 * Whether a lease that was there already is from an earlier attempt of the same request, whose answer was lost. One of which that attempt stored
 * only half is stored again, unless another process may count it as free by then.
 *
 * @param begun When the first attempt began, in milliseconds of a monotonic clock.
 */
async function isOwn(storage: ObjectStorage, key: string, content: Uint8Array, begun: number): Promise<boolean> {
  const [stored, own] = [await storage.get(key), Buffer.from(content)]
  // Its beginning has the holder, which is unique.
  const isBeginning = stored !== undefined && stored.length > own.indexOf('","') && own.subarray(0, stored.length).equals(stored)
  if (!isBeginning || stored.length === own.length) return isBeginning
  await storage.put(key, content)
  return performance.now() - begun < WRITTEN_AGAIN
}

/** Reads a lease: `half` if only a part of it is there. */
async function readHolding(storage: ObjectStorage, key: string): Promise<Holding | 'half' | undefined> {
  const bytes = await storage.get(key)
  try {
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as Holding)
  } catch {
    return 'half'
  }
}
