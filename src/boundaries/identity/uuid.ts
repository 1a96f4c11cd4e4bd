import type { Version1Options, Version7Options } from 'uuid'
import { currentScope } from '../../run/scope.ts'
import { draw } from './draw.ts'
import { perOwner } from './per-owner.ts'

/** The parts of an id that the caller sets; the library fills in the rest. */
type UuidOptions = Version1Options & Version7Options

type Generate = (options?: UuidOptions | null, buffer?: Uint8Array, offset?: number) => string | Uint8Array
type Name = 'v1' | 'v4' | 'v6' | 'v7'

/** The exports of uuid 7 to 14; v6 and v7 exist since 10. */
export type UuidExports = Readonly<Partial<Record<Name, Generate>>>

/**
 * Most versions of uuid keep a pool of random bytes, and v1 and v7 continue from their last id. In a run, the bytes are drawn for each id,
 * and counting starts in the run. All values are passed to the library as options, which make it stateless.
 */
export function uuidInRuns({ v1, v4, v6, v7 }: UuidExports): UuidExports {
  return {
    ...(v1 && { v1: counted(v1, timeFields) }),
    ...(v4 && { v4: pooled(v4) }),
    ...(v6 && { v6: counted(v6, reorderedTimeFields) }),
    ...(v7 && { v7: counted(v7, epochFields) }),
  }
}

/** Computes, for one id after another, what the library would have computed from its state. */
type CountFields = () => (now: number, random: Uint8Array) => UuidOptions

function counted(generate: Generate, countFields: CountFields): Generate {
  return perOwner(generate, () => {
    const next = countFields()
    return (options, buffer, offset) => {
      if (options !== undefined && options !== null) return generate(withRandom(options), buffer, offset)
      // The draws are in the library's own order.
      const now = Date.now()
      const random = draw(16)
      return generate({ ...next(now, random), random }, buffer, offset)
    }
  })
}

function pooled(generate: Generate): Generate {
  // Since uuid 9, a plain v4 is `crypto.randomUUID()`, which has no state.
  const drawsWhole = Function.prototype.toString.call(generate).includes('randomUUID')
  return (options, buffer, offset) => {
    const isPlain = !options && buffer === undefined
    if (currentScope() === undefined || (isPlain && drawsWhole)) return generate(options, buffer, offset)
    return generate(withRandom(options ?? {}), buffer, offset)
  }
}

function withRandom(options: UuidOptions): UuidOptions {
  return { ...options, random: options.random ?? options.rng?.() ?? draw(16) }
}

/** Source: RFC 9562, section 6.1 (UUIDv1: the clock sequence and node change when the clock goes back), and uuid's `updateV1State`. */
function timeFields(): ReturnType<CountFields> {
  let last = { msecs: -Infinity, nsecs: 0, ...nodeOf(new Uint8Array(16)) }
  return (msecs, random) => {
    const nsecs = msecs === last.msecs ? last.nsecs + 1 : 0
    const isUsedUp = nsecs >= 10_000
    const keepsNode = msecs >= last.msecs && last.msecs !== -Infinity && !isUsedUp
    last = { msecs, nsecs: isUsedUp ? 0 : nsecs, ...(keepsNode ? { node: last.node, clockseq: last.clockseq } : nodeOf(random)) }
    return last
  }
}

/** Like v1, with a separate node and clock sequence for each id. Source: uuid's `v1`, called for a v6. */
function reorderedTimeFields(): ReturnType<CountFields> {
  const next = timeFields()
  return (msecs, random) => ({ ...next(msecs, random), ...nodeOf(random) })
}

/** Source: RFC 9562, section 6.2, method 1, and uuid's `updateV7State`. */
function epochFields(): ReturnType<CountFields> {
  let last = { msecs: -Infinity, seq: 0 }
  return (now, random) => {
    if (now > last.msecs) {
      last = { msecs: now, seq: Buffer.from(random).readInt32BE(6) & 0x7fff_ffff }
    } else {
      const seq = (last.seq + 1) | 0
      last = { msecs: seq === 0 ? last.msecs + 1 : last.msecs, seq }
    }
    return last
  }
}

function nodeOf(random: Uint8Array): { readonly node: Uint8Array; readonly clockseq: number } {
  const node = random.slice(10, 16)
  // The multicast bit marks it as not from a network card. Source: RFC 9562, section 6.10.
  node[0] = (node[0] ?? 0) | 0x01
  return { node, clockseq: Buffer.from(random).readUInt16BE(8) & 0x3fff }
}
