import { whyUnreadable } from '../../replay/traces/list-traces.ts'
import { everyRun } from '../../stores/every-run.ts'
import { listIds } from '../../stores/list-ids.ts'
import { isUnderWay } from '../../stores/retention.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import { summarizeRecording } from '../../stores/summarize-recording.ts'
import type { SecretStore } from '../../stores/secrets/secret-store.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { StoreTier } from '../store-tiers.ts'
import { type Unreadable, UnreadableRuns } from '../unreadable.ts'

/** Whose runs to find. */
export interface WantedRuns {
  /** Whether those that no index has are found as well. Default: yes. */
  readonly complete?: false
  /** The tags of the runs. Default: none are found by tag. */
  readonly tag?: Readonly<Record<string, string>>
  /** Ids, or their first characters. Default: none. */
  readonly run?: readonly string[]
}

/** A run that was found in a store. */
export interface CustomerRun {
  readonly id: string
  readonly tier: StoreTier
  /** Its name in messages: a path, or the store's URL with its id. */
  readonly file: string
  /** Absent if it cannot be read. */
  readonly summary?: RunSummary
  /** Whether what redaction removed from it is kept. */
  readonly hasSecrets: boolean
  /** Whether it may still be written. */
  readonly isUnderWay: boolean
}

/** The runs of a customer. */
export interface CustomerRuns {
  /** The whole ids of the runs that were named. */
  readonly named: readonly string[]
  readonly runs: readonly CustomerRun[]
  /** Ids that no store knows, but whose secrets are kept. */
  readonly secretsOnly: readonly string[]
  /** Recordings that may be the customer's: their tags cannot be read. */
  readonly unreadable: readonly Unreadable[]
}

/**
 * Finds the runs of a customer in all stores, also those that no index has.
 *
 * @throws GoldenrunError for the beginning of an id that no run or several runs have.
 */
export async function findCustomerRuns(
  wanted: WantedRuns,
  tiers: readonly StoreTier[],
  secrets: SecretStore | undefined,
  onReading?: (read: number, of: number) => void,
): Promise<CustomerRuns> {
  const kept = new Set(await secrets?.list())
  const now = Date.now()
  const found: CustomerRun[] = []
  const unreadable: Unreadable[] = []
  const secretsOnly: string[] = []
  const ids: string[] = []
  const add = (tier: StoreTier, id: string, summary: RunSummary | undefined): void => {
    if (found.some((run) => run.id === id && run.tier === tier)) return
    const file = summary?.file ?? tier.store.locate?.(id) ?? id
    found.push({
      id,
      tier,
      file,
      ...(summary && { summary }),
      hasSecrets: kept.has(id),
      isUnderWay: summary !== undefined && isUnderWay(summary, now),
    })
  }
  for (const named of wanted.run ?? []) {
    const id = await wholeId(named, tiers, kept)
    ids.push(id)
    for (const tier of tiers) if (await hasRun(tier, id)) add(tier, id, await summaryOf(tier, id))
    if (kept.has(id) && found.every((run) => run.id !== id)) secretsOnly.push(id)
  }
  const query = { tags: wanted.tag ?? {}, ...(wanted.complete !== false && { complete: true as const }) }
  if (wanted.tag !== undefined)
    for (const tier of tiers) {
      const left = new UnreadableRuns(tier.store)
      for await (const run of everyRun(tier.store, query, { onReading, onUnreadable: left.add })) add(tier, run.id, run)
      unreadable.push(...(await left.list()))
    }
  return { named: ids, runs: found, secretsOnly, unreadable: unreadable.filter(({ trace }) => found.every(({ id }) => id !== trace)) }
}

async function hasRun({ store }: StoreTier, id: string): Promise<boolean> {
  return (await listIds(store, { prefix: id, limit: 1 }))[0] === id
}

/** Returns the one id that begins with a text. A whole id needs no recording: a killed command may have removed it. */
async function wholeId(named: string, tiers: readonly StoreTier[], kept: ReadonlySet<string>): Promise<string> {
  const ids = new Set([...kept].filter((id) => id.startsWith(named)))
  for (const { store } of tiers) for (const id of await listIds(store, { prefix: named, limit: 3 })) ids.add(id)
  const [first, ...others] = ids
  if (ids.has(named) || /^\d{8}-\d{9}-[0-9a-f]{8}$/.test(named)) return named
  const places = tiers.map(({ place }) => place).join(' and ')
  if (first === undefined) throw new GoldenrunError('GOLDENRUN_FORGET', `There is no recording ${JSON.stringify(named)} in ${places}.`)
  if (others.length === 0) return first
  throw new GoldenrunError(
    'GOLDENRUN_FORGET',
    `Several recordings in ${places} begin with ${JSON.stringify(named)}: ${[...ids].toSorted().join(', ')}. Name one of them.`,
  )
}

/** Reads a run's summary; undefined if the recording cannot be read. */
async function summaryOf({ store }: StoreTier, id: string): Promise<RunSummary | undefined> {
  if ((await whyUnreadable(id, store)) !== undefined) return undefined
  const stored = await store.read(id)
  if (stored === undefined) return undefined
  const summary = summarizeRecording(stored)
  return { ...summary, flags: [...summary.flags, ...(stored.flags ?? [])], file: stored.file }
}
