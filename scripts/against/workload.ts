/** Measures one workload with a built package and prints the figure: `node workload.ts <dist> record|replay|import`. Run in an empty directory. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { threadCpuUsage } from 'node:process'
import { pathToFileURL } from 'node:url'

const [dist = '', workload = ''] = process.argv.slice(2)

interface Package {
  createRecorder(options: object): {
    run<Output>(options: object, agent: (input: unknown) => Output): Output
    close(): Promise<unknown>
  }
  currentRun(): { readonly id: string } | undefined
  replay(trace: string, agent: (input: unknown) => unknown): Promise<{ readonly divergences: readonly unknown[] }>
}

const load = async (entry: string): Promise<Package> => (await import(pathToFileURL(path.join(dist, entry)).href)) as Package

/** Returns the CPU time of this thread, in microseconds. */
async function cpuOf(body: () => Promise<unknown>): Promise<number> {
  const before = threadCpuUsage()
  await body()
  const { user, system } = threadCpuUsage(before)
  return user + system
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ url: request.url, text: 'An answer of some length. '.repeat(40) }))
})

/** An agent that makes the given number of calls, one after another. */
const agentOf = (url: string) => async (calls: unknown) => {
  let length = 0
  for (let call = 0; call < Number(calls); call += 1) {
    const response = await fetch(`${url}/${call}`, { method: 'POST', body: JSON.stringify({ call, prompt: 'What is next? '.repeat(40) }) })
    length += (await response.text()).length
  }
  return length
}

/** Microseconds of the agent's thread per recorded call, including the call itself. */
async function measureRecord(): Promise<number> {
  const { createRecorder } = await load('index.js')
  const recorder = createRecorder({ store: '.goldenrun/runs' })
  const agent = agentOf(await listen())
  const runs = async (count: number): Promise<void> => {
    for (let run = 0; run < count; run += 1) await recorder.run({ agent: 'against', input: 25 }, agent)
  }
  await runs(40)
  const cpu = await cpuOf(() => runs(120))
  await recorder.close()
  return cpu / (120 * 25)
}

/** Microseconds of the thread per replayed step, including reading the recording. */
async function measureReplay(): Promise<number> {
  const [{ createRecorder, currentRun }, { replay }] = [await load('index.js'), await load('replay.js')]
  const recorder = createRecorder({ store: '.goldenrun/runs' })
  const agent = agentOf(await listen())
  const id = await recorder.run({ agent: 'against', input: 200 }, async (calls) => {
    await agent(calls)
    return currentRun()?.id ?? ''
  })
  await recorder.close()
  server.close()
  const replays = async (count: number): Promise<void> => {
    for (let time = 0; time < count; time += 1) {
      const { divergences } = await replay(id, async (calls) => (await agent(calls), id))
      if (divergences.length > 0) throw new Error('A replay was red.')
    }
  }
  await replays(10)
  return (await cpuOf(() => replays(40))) / (40 * 200)
}

/** Milliseconds of CPU to import what a test file imports. */
async function measureImport(): Promise<number> {
  return (await cpuOf(async () => [await load('index.js'), await load('replay.js')])) / 1000
}

async function listen(): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const workloads: Readonly<Record<string, () => Promise<number>>> = { record: measureRecord, replay: measureReplay, import: measureImport }
const measure = workloads[workload]
if (measure === undefined) throw new Error(`Usage: node workload.ts <dist> ${Object.keys(workloads).join('|')}`)
console.log(String(await measure()))
process.exit()
