import type { DigestMark } from './digest-mark.ts'
import type { HttpHead } from './http-facts.ts'
import type { HttpOutput } from './rows.ts'

/** Returns whether a response with this status announces another one. 101 is the last response of its request. */
export function isInformational(status: number): boolean {
  return status < 200 && status !== 101
}

/** Returns a head with the digests that its `return` row has as they were received. The others stay cut out. */
export function withReceivedDigests<Head extends HttpHead>(head: Head, { received }: Pick<HttpOutput, 'received'>): Head {
  return received === undefined ? head : withDigests(head, (_, index) => received[index] ?? undefined)
}

/**
 * Returns a head with its digests put back into the values of its headers.
 *
 * @param digestOf Returns a digest; undefined if it stays cut out.
 */
export function withDigests<Head extends HttpHead>(head: Head, digestOf: (mark: DigestMark, index: number) => string | undefined): Head {
  const { digests, ...rest } = head
  if (digests === undefined) return head
  const values = head.headers.map(([, value]) => value)
  const grown = new Map<number, number>()
  const left: DigestMark[] = []
  for (const [index, mark] of digests.entries()) {
    const [header, at, algorithm, form] = mark
    const offset = at + (grown.get(header) ?? 0)
    const digest = digestOf(mark, index)
    if (digest === undefined) {
      left.push([header, offset, algorithm, form])
      continue
    }
    const value = values[header] ?? ''
    values[header] = value.slice(0, offset) + digest + value.slice(offset)
    grown.set(header, (grown.get(header) ?? 0) + digest.length)
  }
  const headers = head.headers.map(([name], index) => [name, values[index] ?? ''] as const)
  return { ...(rest as Head), headers, ...(left.length === 0 ? {} : { digests: left }) }
}
