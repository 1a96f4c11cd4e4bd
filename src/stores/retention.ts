import { OptionsError } from '../trace/errors/options-error.ts'
import { DURATION_WORDS, parseDuration, parseSize, SIZE_WORDS } from './amounts.ts'
import { isReview, promotedBy } from './promotion-marks.ts'
import { RETENTION_CLASSES, type RetentionClass } from './retention-prefix.ts'
import type { RunSummary } from './run-summary.ts'

/**
 * How long recordings are kept. Each limit is a duration (`'30d'`), a size (`'5GB'`: the newest that fit together), both (`'30d,
 * 5GB'`: whichever comes first), or `'forever'`. If several rules match a run, the first in the order of this list counts. Runs without
 * a rule are kept forever, except that a directory holds 20 GB of successful ones. A run in flight is kept for at least a day.
 */
export interface RetentionOptions {
  /** Recordings that goldens were promoted from. Default: `'forever'`. */
  readonly promoted?: string
  /** By tag, `'plan=free'` or `'plan'` for any value; the first match counts. Default: none. */
  readonly tags?: Readonly<Record<string, string>>
  /** Runs flagged by the agent, by a user, or for a repeated side effect. Default: `'forever'`. */
  readonly flagged?: string
  /** Runs with the tag `origin=test`. Default: `'forever'`. */
  readonly test?: string
  /** Runs that threw, or whose process died. Default: `'forever'`. */
  readonly failed?: string
  /** All others. Default: `'20GB'` in a directory, `'forever'` elsewhere. */
  readonly successful?: string
}

/** The default limit of a directory, so that a disk does not fill up unnoticed. */
const DEFAULT_RETENTION: RetentionOptions = { successful: '20GB' }

/** An expired run, and the reason. */
export interface Expired {
  readonly run: RunSummary
  /** The rule that applies: `failed`, `plan=free`. */
  readonly rule: string
  /** The reason as a clause: `it is older than 30d`. */
  readonly why: string
}

/** Decides which runs are kept. Runs have to be passed newest first. */
export interface Retention {
  /** Returns why a run has expired; undefined for a run that is kept. */
  expires(run: RunSummary): Expired | undefined
  /** Returns the rule that applies to a run. */
  ruleOf(run: RunSummary): string
}

function classOf(run: RunSummary): RetentionClass {
  if (promotedBy(run.flags).length > 0) return 'promoted'
  if (run.flags.some(isReview)) return 'flagged'
  if (run.tags['origin'] === 'test') return 'test'
  return run.status === 'returned' ? 'successful' : 'failed'
}

/** How long a run without an end counts as being in flight, in milliseconds. */
const UNDER_WAY = 86_400_000

/** Returns whether a run may still be written: it has no end, and started less than a day ago. */
export function isUnderWay({ status, startedAt }: Pick<RunSummary, 'status' | 'startedAt'>, now: number): boolean {
  return status === 'in-flight' && now - Date.parse(startedAt) < UNDER_WAY
}

/**
 * Creates the retention of one pass.
 *
 * @param promoted The ids of recordings that goldens were promoted from.
 * @param now Milliseconds since the epoch.
 */
export function createRetention(options: RetentionOptions, promoted: ReadonlySet<string>, now: number): Retention {
  const tags = Object.keys(options.tags ?? {})
  const limits = new Map<string, Limit>()
  for (const [tag, text] of Object.entries(options.tags ?? {})) limits.set(tag, toLimit(text) ?? {})
  for (const name of RETENTION_CLASSES) limits.set(name, toLimit(options[name] ?? 'forever') ?? {})
  const used = new Map<string, number>()

  const ruleOf = (run: RunSummary): string => {
    const found = classOf(run)
    if (promoted.has(run.id) || found === 'promoted') return 'promoted'
    return tags.find((wanted) => isTagged(run, wanted)) ?? found
  }
  return {
    ruleOf,
    expires(run) {
      const rule = ruleOf(run)
      const { age = Infinity, size = Infinity, ageText = '', sizeText = '' } = limits.get(rule) ?? {}
      const isOld = now - Date.parse(run.startedAt) > age
      if (isUnderWay(run, now)) return undefined
      if (isOld) return { run, rule, why: `it is older than ${ageText}` }
      const bytes = (used.get(rule) ?? 0) + (run.bytes ?? 0)
      used.set(rule, bytes)
      return bytes > size ? { run, rule, why: `newer ones fill ${sizeText}` } : undefined
    },
  }
}

/** Returns whether nothing can expire, because recordings of this many bytes fit within every limit and no limit is an age. */
export function fitsWithin({ tags = {}, ...classes }: RetentionOptions, bytes: number): boolean {
  return [...Object.values(classes), ...Object.values(tags)].every((text) => {
    const { age, size = Infinity } = toLimit(text) ?? {}
    return age === undefined && bytes <= size
  })
}

/** Returns the retention of a store: its options, and for a directory at most 20 GB of successful runs if the options say nothing about those. */
export function retentionFor(options: RetentionOptions | undefined, isDirectory: boolean): RetentionOptions | undefined {
  return isDirectory ? { ...DEFAULT_RETENTION, ...options } : options
}

/** @throws OptionsError for invalid options. */
export function checkRetentionOptions(caller: string, options: RetentionOptions | undefined): void {
  if (options === undefined) return
  const { tags = {}, ...classes } = options
  const both = Object.keys(tags).find((tag) => RETENTION_CLASSES.some((known) => known === tag))
  if (both !== undefined)
    throw new OptionsError(caller, 'retention', `has a tag "${both}", which is the name of a class: name its values, "${both}=…".`)
  for (const [name, limit] of [...Object.entries(classes), ...Object.entries(tags)]) {
    if (!Object.hasOwn(tags, name) && !RETENTION_CLASSES.some((known) => known === name))
      throw new OptionsError(caller, 'retention', `takes ${[...RETENTION_CLASSES, 'tags'].join(', ')}, not "${name}".`)
    if (typeof limit !== 'string' || toLimit(limit) === undefined)
      throw new OptionsError(
        caller,
        'retention',
        `has to have ${DURATION_WORDS}, ${SIZE_WORDS}, both ("30d, 5GB") or "forever" as "${name}".`,
      )
  }
}

interface Limit {
  /** In milliseconds. */
  readonly age?: number
  readonly ageText?: string
  /** In bytes. */
  readonly size?: number
  readonly sizeText?: string
}

function toLimit(text: string): Limit | undefined {
  if (text === 'forever') return {}
  let limit: Limit = {}
  for (const part of text.split(',').map((piece) => piece.trim())) {
    const [age, size] = [parseDuration(part), parseSize(part)]
    if (age !== undefined && limit.age === undefined) limit = { ...limit, age, ageText: part }
    else if (size !== undefined && limit.size === undefined) limit = { ...limit, size, sizeText: part }
    else return undefined
  }
  return limit
}

function isTagged({ tags }: RunSummary, wanted: string): boolean {
  const split = wanted.indexOf('=')
  if (split === -1) return Object.hasOwn(tags, wanted)
  const name = wanted.slice(0, split)
  return Object.hasOwn(tags, name) && tags[name] === wanted.slice(split + 1)
}
