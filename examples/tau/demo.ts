import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createRecorder, currentRun } from 'goldenrun'
import { readTrace, replay } from 'goldenrun/replay'
import { countBytes, formatRow, formatSummary, HEADING, type ReplayedTauRun } from './demo-table.ts'
import { toTauInput } from './record-all.ts'
import { createTauAgent, type TauAgent, type TauInput } from './tau-agent.ts'
import { listTauRuns, loadTauRun, TAU_FOLDER, type TauRun } from './tau-run.ts'
import { startTauWorld, type TauContext } from './tau-world.ts'

/** A run whose recording is in the store. */
interface RecordedRun {
  readonly run: TauRun
  readonly id: string
  /** Request and answer bodies, both ways. */
  readonly wireBytes: number
}

const COMMAND_LINE = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

// npm run demo:tau [-- --stream]
const { values } = parseArgs({ options: { stream: { type: 'boolean', default: false } } })
const runs = listTauRuns().map(loadTauRun)
if (runs.length === 0) {
  console.error(`There are no recorded runs to show: ${TAU_FOLDER} is absent.`)
  process.exitCode = 2
} else {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-tau-'))
  try {
    await showRuns(folder, createTauAgent({ streaming: values.stream }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function showRuns(folder: string, agent: TauAgent): Promise<void> {
  console.log(
    `Recording ${runs.length} real runs of two shops' agents, with ${values.stream ? 'streamed' : 'JSON'} answers from a model on loopback.`,
  )
  const recorded = await recordRuns(folder, agent)
  console.log(`Promoting them: npx goldenrun promote <run> --name <name> --yes`)
  await promoteRuns(folder, recorded)
  console.log('Replaying them. The model is gone, and so are the tools and the customers.\n')
  console.log(HEADING)
  const connections = countConnections()
  const replayed: ReplayedTauRun[] = []
  for (const run of recorded) {
    replayed.push(await replayRun(folder, run, agent))
    console.log(formatRow(replayed.slice(-1)))
  }
  console.log(formatRow(replayed, 'all'))
  console.log(`\n${formatSummary(replayed, connections())}`)
  if (replayed.some(({ verdict }) => verdict !== 'held') || connections() > 0) process.exitCode = 1
}

async function recordRuns(folder: string, agent: TauAgent): Promise<RecordedRun[]> {
  const recorder = createRecorder({ store: storeOf(folder) })
  const recorded: RecordedRun[] = []
  for (const run of runs) {
    await using world = await startTauWorld(run)
    let id = ''
    const invocation = { agent: `tau-${run.domain}`, input: toTauInput(run), context: world.context, tags: { run: run.name } }
    await recorder.run(invocation, (input: TauInput, context: TauContext) => {
      id = currentRun()?.id ?? ''
      return agent(input, context)
    })
    recorded.push({ run, id, wireBytes: countBytes(world.provider.exchanges) })
  }
  await recorder.close()
  return recorded
}

/** Promotes each run with the command that a person would type, as many at once as there are cores. */
async function promoteRuns(folder: string, recorded: readonly RecordedRun[]): Promise<void> {
  await mkdir(path.join(folder, 'golden-traces'))
  const waiting = recorded.values()
  const work = async (): Promise<void> => {
    for (const { id, run } of waiting) {
      const args = [COMMAND_LINE, 'promote', id, '--name', run.name, '--store', storeOf(folder), '--yes', '--json']
      await promisify(execFile)(process.execPath, args, { cwd: folder })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

async function replayRun(folder: string, { run, wireBytes }: RecordedRun, agent: TauAgent): Promise<ReplayedTauRun> {
  const file = path.join(folder, 'golden-traces', `${run.name}.jsonl`)
  const golden = await readTrace(file)
  const started = performance.now()
  const replayed = await replay(golden, agent)
  const replayMs = performance.now() - started
  const [first] = replayed.divergences
  const isSame = replayed.hash === golden.hash
  return {
    name: run.name,
    steps: replayed.steps.length,
    toolCalls: replayed.toolCalls.length,
    wireBytes,
    goldenBytes: (await stat(file)).size,
    replayMs,
    verdict: first === undefined ? (isSame ? 'held' : 'another hash') : `${first.cause} at step ${first.step}`,
  }
}

/** Counts the connections that are opened from now on, whoever opens them. */
function countConnections(): () => number {
  const connect = Socket.prototype.connect
  let count = 0
  Socket.prototype.connect = function connectCounted(this: Socket, ...args: unknown[]): Socket {
    count += 1
    return Reflect.apply(connect, this, args) as Socket
  }
  return () => count
}

function storeOf(folder: string): string {
  return path.join(folder, 'runs')
}
