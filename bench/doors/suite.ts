import type { Metrics, Suite } from '../figures.ts'
import { startChannels } from './channels.ts'
import { measureChildren } from './children.ts'
import { measureMcp } from './mcp.ts'
import { startDatabases } from './database-drivers.ts'
import { measureDriver } from './drivers.ts'
import type { DoorsSizes } from './sizes.ts'

const FULL: DoorsSizes = { calls: 300, queries: 200, children: 40, rounds: { rounds: 15, warmUp: 3, seconds: 60 } }

/** Everything once, and small, to see whether the suite works at all. Its figures mean nothing. */
const QUICK: DoorsSizes = { calls: 5, queries: 5, children: 2, rounds: { rounds: 1, warmUp: 0, seconds: 0 } }

/** Measures the cost of all doors except those of HTTP. */
export const measureDoors: Suite = async (note, { quick }) => {
  const sizes = quick ? QUICK : FULL
  note('MCP over stdio.')
  const mcp = await measureMcp(sizes)
  note('Child processes.')
  const children = await measureChildren(sizes)
  await using channels = await startChannels()
  await using databases = await startDatabases()
  let ofDrivers: Metrics = {}
  for (const driver of [...channels.drivers, ...databases.drivers]) {
    note(`Calls of ${driver.name}.`)
    ofDrivers = { ...ofDrivers, ...(await measureDriver(driver, sizes)) }
  }
  return { metrics: { ...mcp, ...children, ...ofDrivers } }
}
