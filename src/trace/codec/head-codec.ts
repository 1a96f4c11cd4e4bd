import { isInformational } from '../http-head.ts'
import type { HeaderPairs } from '../http-facts.ts'
import type { HeadRow } from '../rows.ts'

/** The fields of a head that answers of one server share. */
export type HeadFields = Pick<HeadRow, 'headers' | 'leftOut' | 'digests'>

/**
 * Headers with the names of an earlier head, in the same order, and with most of its values. What was left out and the digests are also the earlier
 * head's.
 */
export interface LikeHead {
  /** The step of the earlier head. */
  readonly like: number
  /** The values that differ, by index. */
  readonly set?: Readonly<Record<string, string>>
}

/** Finds the earlier head that a head is written like. */
export interface HeadEncoder {
  /** Returns undefined if there is no earlier head with the same names. */
  encode(head: HeadRow): LikeHead | undefined
  /** Forgets earlier heads. */
  forget(): void
}

/** The most kinds of heads that are remembered. */
const mostKinds = 100

export function createHeadEncoder(): HeadEncoder {
  const first = new Map<string, { readonly step: number; readonly headers: HeaderPairs }>()
  return {
    encode({ step, status, headers, leftOut, digests }) {
      if (headers.length === 0 || isInformational(status)) return undefined
      const kind = JSON.stringify([headers.map(([name]) => name), leftOut, digests])
      const earlier = first.get(kind)
      if (earlier === undefined) {
        if (first.size < mostKinds) first.set(kind, { step, headers })
        return undefined
      }
      const set = Object.fromEntries(headers.flatMap(([, value], index) => (value === earlier.headers[index]?.[1] ? [] : [[index, value]])))
      return Object.keys(set).length === 0 ? { like: earlier.step } : { like: earlier.step, set }
    },
    forget: () => first.clear(),
  }
}

/** Returns the fields of a head that is written like an earlier one. */
export function decodeLikeHead({ set = {} }: LikeHead, { headers, leftOut, digests }: HeadFields): HeadFields {
  const values = headers.map(([name, value], index) => [name, set[index] ?? value] as const)
  return { headers: values, ...(leftOut && { leftOut }), ...(digests && { digests }) }
}
