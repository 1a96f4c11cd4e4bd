/** Reads the parts of a protobuf message; returns undefined for a part that is missing or not written in the shortest way. */
export class ProtobufReader {
  readonly #bytes: Uint8Array
  #place = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#bytes.length
  }

  take(length: number): Uint8Array | undefined {
    const end = this.#place + length
    if (end > this.#bytes.length) return undefined
    const taken = this.#bytes.subarray(this.#place, end)
    this.#place = end
    return taken
  }

  /** Reads a number of up to 64 bits. */
  varint(): bigint | undefined {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#place]
      if (byte === undefined) return undefined
      this.#place += 1
      value |= BigInt(byte & 0x7f) << shift
      // A last byte of 0 could have been omitted.
      if (byte < 0x80) return (byte === 0 && shift > 0n) || value >= 2n ** 64n ? undefined : value
    }
    return undefined
  }
}
