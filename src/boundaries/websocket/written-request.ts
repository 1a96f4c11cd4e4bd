/** Where a request ends that has no body. Source: RFC 9112, section 2.1. */
const end = '\r\n\r\n'

/** The request that a client writes before its messages. */
export class WrittenRequest {
  #isOpen: boolean
  #text = ''

  /** @param isWritten Whether there is one. */
  constructor(isWritten: boolean) {
    this.#isOpen = isWritten
  }

  /** What follows the request in these bytes. */
  rest(bytes: Buffer): Buffer {
    if (!this.#isOpen) return bytes
    const before = this.#text.length
    this.#text += bytes.toString('latin1')
    const place = this.#text.indexOf(end)
    if (place === -1) return Buffer.alloc(0)
    this.#isOpen = false
    this.#text = ''
    return bytes.subarray(place + end.length - before)
  }
}
