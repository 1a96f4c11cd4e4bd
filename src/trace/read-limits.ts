/**
 * How much a trace may take when it is read. Beyond a limit, reading fails with an error that names file and limit, before the memory is taken. A
 * small file can expand to any size, and the project's goldens may come from a pull request.
 */
export interface ReadLimits {
  /** The bytes of one frame of a recording once they are decompressed, up to 536870888. Default: 256000000. */
  readonly frameBytes?: number
  /** The characters of one line of a trace, and of one text that is built of shared parts, up to 536870888. Default: 128000000. */
  readonly textBytes?: number
  /**
   * The characters of a whole trace, plus the bytes that its references take in memory, up to 536870888. A value that many rows refer to counts once,
   * as it is held in memory once. Default: 512000000.
   */
  readonly traceBytes?: number
}

/** The name of a limit. */
export type ReadLimit = keyof ReadLimits

/** V8 has no longer strings. */
export const MOST_BYTES = 536_870_888

export const defaultReadLimits: Required<ReadLimits> = { frameBytes: 256_000_000, textBytes: 128_000_000, traceBytes: 512_000_000 }
