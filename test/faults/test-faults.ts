import { afterAll, beforeAll, expect, it } from 'vitest'
import { type S3World, startS3World } from '../fleet/world/s3-world.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createFaultyStore, type StoreName } from './faulty-stores.ts'
import { FAULT_KINDS, type Fault, FAULTS } from './fault-kinds.ts'
import { type Ending, ENDINGS, resultsAlone, type Tried, tryFault } from './try-fault.ts'

/** A place in the matrix. */
interface Cell {
  readonly store: StoreName
  readonly fault: Fault
  readonly ending: Ending
}

/** How many of the program's runs end before the fault begins, and how many there are. */
const BEFORE = 4
const ALL = 28

/**
 * Tests stores that fail under load: every kind of fault with every end of the process, or a sample that a seed draws.
 *
 * @param count The size of the sample. With `GOLDENRUN_STORES=all`, the whole matrix is tried.
 */
export function testFaults(stores: readonly StoreName[], count: number): void {
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const random = createRandom(`${seed} ${stores.join()}`)
  const matrix = stores.flatMap((store) => FAULTS.flatMap((fault) => ENDINGS.map((ending): Cell => ({ store, fault, ending }))))
  const isWhole = process.env['GOLDENRUN_STORES'] === 'all'
  const cells = isWhole ? matrix : draw(random, matrix, stores, count)
  let world: S3World
  let alone: readonly string[]
  beforeAll(async () => {
    console.log(`${cells.length} of ${matrix.length} faults of stores (GOLDENRUN_SEED=${seed})`)
    world = await startS3World()
    alone = await resultsAlone()
  }, 300_000)
  afterAll(() => world[Symbol.asyncDispose]())

  for (const { store, fault, ending } of cells) {
    const killAfter = random.whole(0, 800)
    it(`counts what ${store} has that ${FAULT_KINDS[fault].name}, where the process ${ending}`, { timeout: 300_000 }, async () => {
      await using faulty = await createFaultyStore(store, world)
      const tried = await tryFault(faulty, fault, ending, killAfter)
      expect(tried.wrong).toEqual([])
      if (ending === 'is killed') return expectKilled(tried)
      // A status tells that it ended by itself.
      expect({ status: tried.status, results: tried.results }).toEqual({ status: 3, results: alone })
      expect(tried.begun).toBe(ALL)
      if (ending === 'exits') expectExited(tried, store)
      else expectClosed(tried, fault, store)
    })
  }
}

/** Draws cells, as evenly from the stores as can be. */
function draw(random: Random, matrix: readonly Cell[], stores: readonly StoreName[], count: number): Cell[] {
  const shuffled = stores.map((store) => random.shuffle(matrix.filter((cell) => cell.store === store)))
  return Array.from({ length: count }, (_, index) => shuffled[index % stores.length]?.[Math.floor(index / stores.length)]).flatMap(
    (cell) => cell ?? [],
  )
}

/** What was said to be stored is there; what was not said may be. */
function expectKilled({ signal, counted, stored, begun }: Tried): void {
  expect(signal).toBe('SIGKILL')
  const said = counted.recorded ?? 0
  expect({ said, stored, begun, isThere: said >= BEFORE && stored >= said && stored <= begun }).toMatchObject({ isThere: true })
}

/** Each run is stored, or has failed, and whoever closes the recorder is told. */
function expectClosed({ counted, stored, errors }: Tried, fault: Fault, store: StoreName): void {
  const { recorded = 0, failed = 0, lost = 0 } = counted
  expect({ recorded, unstored: failed + lost, writing: counted.writing, active: counted.active }).toEqual({
    recorded: stored,
    unstored: ALL - stored,
    writing: 0,
    active: 0,
  })
  const { passes } = FAULT_KINDS[fault]
  // A disk is asked once, and takes nothing that it has refused.
  expect(stored).toBeGreaterThanOrEqual(passes && store !== 'a directory' ? ALL : BEFORE)
  expect(stored).toBeLessThanOrEqual(passes ? ALL : BEFORE)
  const said = /(\d+) of its (\d+) runs are not stored/.exec(errors)?.slice(1)
  expect(said).toEqual(stored === ALL ? undefined : [String(ALL - stored), String(ALL)])
}

/** A process that exits without closing says what its store does not have. A thread that writes to a disk is waited for. */
function expectExited({ counted, stored, errors }: Tried, store: StoreName): void {
  const { recorded = 0, failed = 0, writing = 0 } = counted
  expect(recorded + failed + writing).toBe(ALL)
  expect(stored).toBeGreaterThanOrEqual(recorded)
  const [, said = '0'] = /the process exits before (\d+) runs? (?:is|are) stored/.exec(errors) ?? []
  // The thread has written some of them by then.
  const most = store === 'a directory' ? ALL - stored : writing
  expect(Number(said)).toBeLessThanOrEqual(most)
  expect(Number(said)).toBeGreaterThanOrEqual(store === 'a directory' ? 0 : writing)
}
