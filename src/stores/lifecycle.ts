import { parseDuration } from './amounts.ts'
import { retentionPrefix } from './retention-prefix.ts'
import type { RetentionOptions } from './retention.ts'

const DAY = 86_400_000

/** The configuration of a bucket's lifecycle, as S3 takes it. */
export interface Lifecycle {
  readonly Rules: readonly {
    readonly ID: string
    readonly Status: 'Enabled'
    readonly Filter: { readonly Prefix: string }
    readonly Expiration: { readonly Days: number }
  }[]
}

/** A lifecycle, and what of retention it cannot do. */
export interface LifecycleOfRetention {
  readonly lifecycle: Lifecycle
  /** Rules with a limit of size, which buckets do not know. */
  readonly withoutSize: readonly string[]
}

/** The lifecycle rules by which a bucket expires recordings as retention says. A rule without a duration keeps them. */
export function toLifecycle({ tags = {}, ...classes }: RetentionOptions, prefix: string): LifecycleOfRetention {
  const limits = [...Object.entries(classes), ...Object.entries(tags)].map(([rule, limit]) => ({
    rule,
    parts: limit.split(',').map((part) => part.trim()),
  }))
  const rules = limits.flatMap(({ rule, parts }) => {
    const age = parts.map(parseDuration).find((duration) => duration !== undefined)
    if (age === undefined) return []
    // Buckets count whole days, from the time when an object was stored.
    const days = Math.max(1, Math.ceil(age / DAY))
    const about = { ID: `goldenrun-${prefix === '' ? '' : `${prefix}-`}${rule}`, Status: 'Enabled' as const }
    return [{ ...about, Filter: { Prefix: retentionPrefix(rule, prefix) }, Expiration: { Days: days } }]
  })
  const withoutSize = limits.filter(({ parts }) => parts.some((part) => part !== 'forever' && parseDuration(part) === undefined))
  return { lifecycle: { Rules: rules }, withoutSize: withoutSize.map(({ rule }) => rule) }
}
