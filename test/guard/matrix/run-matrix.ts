import { once } from 'node:events'
import { mkdir, rm, symlink } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { createVitestWorkspace, type VitestWorkspace } from '../../support/vitest-workspace.ts'
import { type Bait, startBait } from '../bait.ts'
import { projectFiles } from './project-files.ts'
import { runProgram, runSetting, type Setting } from './settings.ts'
import type { Trial } from './trial.ts'

/** What came of a trial in a setting. */
export interface Outcome {
  readonly trial: Trial
  readonly setting: string
  /** As `process.version` gives it. */
  readonly node: string
  /** Undefined where the setting did not come to it. */
  readonly isGreen: boolean | undefined
  /** What of the world was reached. */
  readonly touched: readonly string[]
}

/** A Node to try, by its path. */
export interface TriedNode {
  readonly path: string
  readonly version: string
}

/** Worlds, and a workspace with the agent in it. */
export interface Matrix extends AsyncDisposable {
  /** Records all trials on a Node. Gives those whose recordings were made by hand, and what each of the others reached. */
  record(node: TriedNode): Promise<Recorded>
  /** Replays what was recorded. */
  replay(node: TriedNode, setting: Setting): Promise<Replayed>
}

export interface Replayed {
  readonly outcomes: readonly Outcome[]
  /** Processes that came to nothing that can be read. */
  readonly failures: readonly string[]
}

export interface Recorded {
  readonly byHand: readonly Trial[]
  /** Trials that wait, and reached nothing though nothing was refused: they prove nothing on this Node. */
  readonly idle: readonly Trial[]
}

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** What the agent takes of packages. What is a module only is bundled, for Jest. */
const packages = [
  '@boundaryml/baml',
  '@grpc/grpc-js',
  '@lydell/node-pty',
  'axios',
  'better-sqlite3',
  'jest',
  'libsql',
  'undici',
  'undici6',
  'undici7',
  'ws',
]

/** Starts the worlds of these trials. */
export async function startMatrix(trials: readonly Trial[]): Promise<Matrix> {
  const worlds = new Map<Trial, Counted>()
  for (const trial of trials) worlds.set(trial, new Counted(await startBait(trial.way.needs)))
  const control = await startControl((ids) => {
    for (const [{ id }, world] of worlds) if (ids.includes(id)) world.countFromNow()
  })
  const workspace = await createVitestWorkspace()
  const folder = await prepareProject(workspace, worlds, control.url)
  const startOver = (): void => worlds.forEach((world) => world.countFromNow())
  return {
    async record(node) {
      await rm(path.join(folder, 'golden-traces'), { recursive: true, force: true })
      startOver()
      const { stdout, stderr } = await runProgram(node.path, folder, ['record.mjs'], 600_000)
      if (stderr !== '') console.error(stderr.slice(-4000))
      if (!stdout.endsWith('recorded\n'))
        throw new Error(`The recordings on Node ${node.version} did not come to their end: ${stderr.slice(-2000)}`)
      await sleep(500)
      const byHand = trials.filter(({ id }) => stdout.includes(`by hand: ${id} `))
      const idle = trials.filter((trial) => trial.waits && !byHand.includes(trial) && worlds.get(trial)?.touched.length === 0)
      return { byHand, idle }
    },
    async replay(node, setting) {
      startOver()
      const tried = trials.filter(({ waits }) => waits || setting.isWhole)
      const isGreen = new Map<string, boolean>()
      const failures: string[] = []
      await inTwos(chunksOf(tried, setting.perProcess), async (chunk) => {
        try {
          const ids = chunk.map(({ id }) => id)
          const result = await runSetting(node.path, folder, setting, ids)
          for (const id of setting.ran(result)) isGreen.set(id, false)
          for (const id of setting.green(result)) isGreen.set(id, true)
        } catch (error) {
          failures.push(String(error))
        }
      })
      await sleep(300)
      const outcomes = tried.map((trial) => ({
        trial,
        setting: setting.name,
        node: node.version,
        isGreen: isGreen.get(trial.id),
        touched: worlds.get(trial)?.touched ?? [],
      }))
      return { outcomes, failures }
    },
    async [Symbol.asyncDispose]() {
      control.close()
      for (const { bait } of worlds.values()) await bait[Symbol.asyncDispose]()
      await workspace[Symbol.asyncDispose]()
    },
  }
}

/** A world that counts what reaches it from some moment on. */
class Counted {
  readonly bait: Bait
  #reached = 0
  #bytes = 0

  constructor(bait: Bait) {
    this.bait = bait
  }

  countFromNow(): void {
    this.bait.forgetFiles()
    this.#reached = this.bait.reached.length
    this.#bytes = this.bait.bytes
  }

  get touched(): string[] {
    const bytes = this.bait.bytes - this.#bytes
    return [...this.bait.reached.slice(this.#reached), ...(bytes > 0 ? [`${bytes} bytes`] : [])]
  }
}

/** What is opened before a replay may still be saying something. */
const SETTLES_IN = 100

async function startControl(onOpened: (ids: readonly string[]) => void): Promise<{ readonly url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      setTimeout(() => {
        onOpened(JSON.parse(body) as string[])
        response.end()
      }, SETTLES_IN)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

async function prepareProject(workspace: VitestWorkspace, worlds: ReadonlyMap<Trial, Counted>, control: string): Promise<string> {
  const entries = [...worlds].map(([{ id }, { bait }]) => {
    const { ports, path: socket, folder, nameServer } = bait
    return [id, { ports, path: socket, folder, name: `${id}.internal`, ...(nameServer === undefined ? {} : { nameServer }) }]
  })
  const told = JSON.stringify({ control, worlds: Object.fromEntries(entries) as object })
  const { path: folder } = await workspace.project({ ...projectFiles, 'told.json': told })
  const modules = path.join(folder, '../node_modules')
  for (const name of packages) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true })
    await symlink(path.join(repository, 'node_modules', name), path.join(modules, name), 'junction')
  }
  const own = path.join(folder, 'ways-out')
  for (const format of ['esm', 'cjs'] as const) {
    await build({
      input: fileURLToPath(new URL('agent.ts', import.meta.url)),
      platform: 'node',
      external: packages,
      checks: { ineffectiveDynamicImport: false },
      output: { file: path.join(own, format === 'esm' ? 'index.mjs' : 'index.cjs'), format, codeSplitting: false },
    })
  }
  return folder
}

/** Trials that share a process: from everywhere in the list, so that no process has all that is slow. */
function chunksOf(trials: readonly Trial[], size: number): Trial[][] {
  const count = Math.ceil(trials.length / size)
  return Array.from({ length: count }, (_, index) => trials.filter((_trial, place) => place % count === index))
}

async function inTwos<Item>(items: Item[], body: (item: Item) => Promise<void>): Promise<void> {
  const work = async (): Promise<void> => {
    for (let next = items.shift(); next !== undefined; next = items.shift()) await body(next)
  }
  await Promise.all([work(), work()])
}
