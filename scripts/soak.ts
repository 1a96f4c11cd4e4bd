/**
 * Records 64 runs at once for as many steps as they would make in ten minutes, twice, and checks everything that was kept: `npm run soak`, or
 * `npm run soak -- --steps 4000 --seed a`. An agent's step waits for a model for at least a second, so 64 runs make at most 38,400 steps in ten
 * minutes. Here models answer at once, so it takes a fraction of that time. Memory is measured the second time: before that, V8 and the
 * allocator are still taking the memory that they keep. Fails if memory grows, or a run or a row is lost or is in another run's recording.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { BusyInput } from '../test/record/soak/busy-agent.ts'
import { faultsOf, growthOver, readTraces, soak, type Soaked, unwrittenIn } from '../test/record/soak/soak.ts'

const CONCURRENCY = 64
const STEPS_OF_A_RUN = 20

/** Memory that a process takes and releases at will, in bytes. */
const NOISE = { heap: 2_000_000, resident: 24_000_000 }

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '38400' }, seed: { type: 'string', default: String(Date.now()) } },
})
const { seed } = values
const runs = 2 * Math.ceil(Number(values.steps) / STEPS_OF_A_RUN)
const directory = mkdtempSync(path.join(tmpdir(), 'goldenrun-soak-'))
console.log(`seed ${seed}, ${runs} runs of ${STEPS_OF_A_RUN} steps, ${CONCURRENCY} at a time`)
try {
  const sampleEvery = Math.max(1, Math.floor(runs / 80))
  const soaked = await soak(directory, { runs, steps: STEPS_OF_A_RUN, concurrency: CONCURRENCY, seed, sampleEvery })
  const faults = [...tellMemory(soaked), ...(await tellRecordings(soaked))]
  for (const fault of faults) console.error(fault)
  console.log(`${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function tellMemory({ samples, milliseconds }: Soaked): string[] {
  console.log(
    `made in ${(milliseconds / 1000).toFixed(0)} s, ${((1000 * runs) / milliseconds).toFixed(0)} runs a second with their provider`,
  )
  const measured = samples.slice(Math.floor(samples.length / 2))
  return (['heap', 'resident'] as const).flatMap((value) => {
    const growth = growthOver(measured, value)
    const between = measured.map((sample) => sample[value] / 1e6)
    const told = `${value} memory grew by ${(growth / 1e6).toFixed(2)} MB over the last ${measured.length} samples`
    console.log(`${told}, which lie between ${Math.min(...between).toFixed(1)} and ${Math.max(...between).toFixed(1)} MB`)
    return growth > NOISE[value] ? [`${told}, more than ${NOISE[value] / 1e6} MB`] : []
  })
}

async function tellRecordings({ stats }: Soaked): Promise<string[]> {
  const missing = new Set(Array.from({ length: runs }, (_, number) => number))
  const faults: string[] = []
  let [rows, unwritten] = [0, 0]
  for await (const trace of readTraces(directory)) {
    missing.delete((trace.header.input as BusyInput).number)
    rows += trace.rows.length
    unwritten += unwrittenIn(trace)
    faults.push(...faultsOf(trace, STEPS_OF_A_RUN))
  }
  const { recorded, failed, cut } = stats
  console.log(
    `${recorded} recorded, ${failed} failed, ${cut} cut, ${missing.size} missing; ${rows} rows looked at; ` +
      `${unwritten} side effects went out before their call was written`,
  )
  return [...faults, ...[...missing].map((number) => `run ${number} has no recording`)]
}
