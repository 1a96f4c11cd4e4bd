/** What is bundled into the package that projects of the matrix take their agent from. */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { listTrials, type Told, type Trial } from './trial.ts'

const { worlds, control } = JSON.parse(readFileSync('told.json', 'utf8')) as Told

const only = process.env['WAYS_ONLY']?.split(' ')

/** The trials of this process: all that the project has worlds for, or those that it is told. */
export const trials: readonly Trial[] = listTrials().filter(({ id }) => id in worlds && only?.includes(id) !== false)

// What is opened before is shared by all that load this file in a realm.
const opened = ((globalThis as { waysOpened?: Map<string, unknown> }).waysOpened ??= new Map<string, unknown>())

/** Opens what trials find opened before, and tells the world that what comes now counts. */
export async function openBefore(ids: readonly string[] = trials.map(({ id }) => id)): Promise<void> {
  for (const { id, way } of trials) if (ids.includes(id)) opened.set(id, await openFor(id, way))
  await new Promise((resolve, reject) => {
    const request = http.request(control, { method: 'POST', agent: false }, (response) => response.resume().on('end', resolve))
    request.on('error', reject).end(JSON.stringify(ids))
  })
}

/** The agent: takes the way of a trial, and does not mind what comes of it. */
export async function agent({ trial: id }: { readonly trial: string }): Promise<string> {
  const trial = trials.find((one) => one.id === id)
  if (trial === undefined) throw new Error(`There is no trial ${id}.`)
  const going = take(trial)
  if (trial.waits) await going
  else for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return 'done'
}

async function take({ id, way }: Trial): Promise<void> {
  const world = worlds[id]
  try {
    if (world !== undefined) await way.take(world, opened.get(id) as never)
  } catch {
    // An agent that catches everything.
  }
}

async function openFor(id: string, way: Trial['way']): Promise<unknown> {
  const world = worlds[id]
  try {
    return world === undefined || way.isMissing?.() === true ? undefined : await way.before?.(world)
  } catch (error) {
    console.error(`Before ${id} (${way.name}): ${String(error)}`)
    return undefined
  }
}
