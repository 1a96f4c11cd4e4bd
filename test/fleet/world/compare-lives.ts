import type { FleetLife, Traffic } from './fleet-life.ts'

/** Runs have texts of different lengths, so that bytes a run differ by some percent. */
const SLACK = 1.05

/** Who removes runs lists the hours of the last two weeks again for each page of them: so many bytes a run that a fleet of two hours does not take. */
const LISTED_BYTES = 32

/** What takes more a run among many runs than among few: growth that is worse than linear. */
export function compareLives(few: FleetLife, many: FleetLife): string[] {
  const before = costsOfRun(few)
  return Object.entries(costsOfRun(many)).flatMap(([name, cost]) => {
    const least = before[name] ?? 0
    return cost <= least * SLACK + (name === 'bytes for removing' ? LISTED_BYTES : 0)
      ? []
      : [`${name}: ${cost.toPrecision(3)} a run among ${many.runs} runs, and ${least.toPrecision(3)} among ${few.runs}`]
  })
}

/** A life as lines to read. */
export function describeLife(life: FleetLife): string[] {
  const { runs, origin, shipping, compacting, ageing, finding, stored } = life
  const perRun = ({ seconds, requests, bytes }: Traffic): string =>
    `${(runs / seconds).toFixed(0)} runs/s, ${(requests / runs).toFixed(4)} requests and ${(bytes / runs).toFixed(0)} B a run`
  return [
    `${runs} runs made from ${origin}`,
    `  shipping     ${perRun(shipping)}`,
    `  compacting   ${perRun(compacting)}`,
    `  removing     ${perRun(ageing)}`,
    `  stored       ${(stored.packs / runs).toFixed(0)} B in packs, ${(stored.index / runs).toFixed(1)} B of index a run; ${stored.dictionaries} B of dictionaries`,
    ...Object.entries(finding).map(
      ([name, { seconds, requests, bytes }]) =>
        `  by ${name.padEnd(16)} ${requests} requests, ${(bytes / 1000).toFixed(0)} kB, ${(seconds * 1000).toFixed(0)} ms`,
    ),
  ]
}

function costsOfRun({ runs, shipping, compacting, ageing, finding, stored }: FleetLife): Readonly<Record<string, number>> {
  const storing = { requests: shipping.requests + compacting.requests, bytes: shipping.bytes + compacting.bytes }
  const traffic = Object.entries({ storing, removing: ageing, ...finding })
  return {
    ...Object.fromEntries(
      traffic.flatMap(([name, { requests, bytes }]) => [
        [`requests for ${name}`, requests / runs],
        [`bytes for ${name}`, bytes / runs],
      ]),
    ),
    'bytes in packs': stored.packs / runs,
    'bytes of index': stored.index / runs,
  }
}
