import { parseDuration } from './amounts.ts'
import { retentionPrefix } from './retention-prefix.ts'
import type { RetentionOptions } from './retention.ts'

const DAY = 86_400_000

/** A bucket's lifecycle configuration, in the form that S3 expects. */
export interface Lifecycle {
  readonly Rules: readonly {
    readonly ID: string
    readonly Status: 'Enabled'
    readonly Filter: { readonly Prefix: string }
    readonly Expiration: { readonly Days: number }
  }[]
}

/** A lifecycle, and the retention rules that it cannot express. */
export interface LifecycleOfRetention {
  readonly lifecycle: Lifecycle
  /** Rules with a size limit, which buckets do not support. */
  readonly withoutSize: readonly string[]
}

/** Converts retention to the lifecycle rules of a bucket. A rule without a duration keeps its recordings. */
export function toLifecycle({ tags = {}, ...classes }: RetentionOptions, prefix: string): LifecycleOfRetention {
  const limits = [...Object.entries(classes), ...Object.entries(tags)].map(([rule, limit]) => ({
    rule,
    parts: limit.split(',').map((part) => part.trim()),
  }))
  const rules = limits.flatMap(({ rule, parts }) => {
    const age = parts.map(parseDuration).find((duration) => duration !== undefined)
    if (age === undefined) return []
    // Buckets count whole days from the time when an object was stored.
    const days = Math.max(1, Math.ceil(age / DAY))
    const about = { ID: `goldenrun-${prefix === '' ? '' : `${prefix}-`}${rule}`, Status: 'Enabled' as const }
    return [{ ...about, Filter: { Prefix: retentionPrefix(rule, prefix) }, Expiration: { Days: days } }]
  })
  const withoutSize = limits.filter(({ parts }) => parts.some((part) => part !== 'forever' && parseDuration(part) === undefined))
  return { lifecycle: { Rules: rules }, withoutSize: withoutSize.map(({ rule }) => rule) }
}
