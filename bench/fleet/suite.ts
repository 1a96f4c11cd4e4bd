import type { Metric, Suite } from '../figures.ts'
import { costsOfMonth, type Prices } from '../../src/fleet/bucket-costs.ts'
import { measureFinding, type Search } from './finding.ts'
import { measureShipping } from './shipping.ts'

const FULL = { shipped: 10_000, indexed: 1_000_000, hours: 168 }

/** Everything once, and small, to see whether the suite works at all. Its figures mean nothing. */
const QUICK = { shipped: 60, indexed: 200, hours: 2 }

/** The assumed prices: list prices of S3 in us-east-1 in 2026, in dollars. */
const PRICES: Prices = { gigabyteMonth: 0.023, thousandWrites: 0.005, thousandReads: 0.0004 }
const RUNS_PER_DAY = 1_400_000

/** Measures what a fleet's recordings take in a bucket, and what finding them costs. */
export const measureFleet: Suite = async (note, { quick }) => {
  const { shipped, indexed, hours } = quick ? QUICK : FULL
  const shipping = await measureShipping(note, shipped)
  const finding = await measureFinding(note, indexed, hours)
  const { bytesPerRun, indexBytesPerRun, requestsPerRun, writesPerRun } = shipping
  const ofHour = (perRun: number): number => (perRun * RUNS_PER_DAY) / 24
  const costs = costsOfMonth({
    runsPerDay: RUNS_PER_DAY,
    days: 90,
    bytesPerRun: bytesPerRun + indexBytesPerRun,
    requestsPerHour: { writes: ofHour(writesPerRun), reads: ofHour(requestsPerRun - writesPerRun) },
    prices: PRICES,
  })
  return {
    metrics: {
      ship_runs_per_second: {
        value: shipping.runsPerSecond,
        unit: 'runs/s',
        better: 'more',
        goal: 80,
        against: `by CPU time of one core, the storage's own included, ${shipped} runs from a directory; from a redis-server ${shipping.fromRedis.toFixed(0)}`,
      },
      bytes_per_run_cold: {
        value: bytesPerRun,
        unit: 'B',
        goal: 1400,
        against: `twelve steps, ${shipping.linesPerRun.toFixed(0)} B of JSON lines and ${shipping.logBytesPerRun.toFixed(0)} B as a log each; made from ${shipping.origin}`,
      },
      requests_per_run: {
        value: requestsPerRun,
        unit: 'requests',
        goal: 0.03,
        against: 'packed, read back, indexed and compacted; two agents',
      },
      index_bytes_per_run: { value: indexBytesPerRun, unit: 'B', goal: 100, against: 'with the map of terms' },
      find_ms_million_runs_day: searchMetric(finding.day, `the failed runs of a day, of ${indexed} in a week`),
      find_ms_million_runs_week: searchMetric(finding.week, 'the failed runs of the week'),
      find_ms_million_runs_trace: searchMetric(finding.trace, 'a run of the week by its trace id'),
      find_ms_million_runs_none: searchMetric(finding.none, 'a tool that no run of the week called'),
      cost_per_month_1_4m_a_day: {
        value: costs.reduce((sum, { cost }) => sum + cost, 0),
        unit: '$',
        against: `computed: 1.4 million runs a day, kept for 90 days, at S3's list prices; ${costs.map(({ item, cost }) => `${item} ${cost.toFixed(2)}`).join(', ')}`,
      },
    },
  }
}

function searchMetric({ milliseconds, requests, bytes }: Search, what: string): Metric {
  return {
    value: milliseconds,
    unit: 'ms',
    against: `${what}, in ${requests} requests and ${(bytes / 1e6).toFixed(1)} MB, by a process that knew nothing`,
  }
}
