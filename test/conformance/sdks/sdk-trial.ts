import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildPackage } from '../../support/build-package.ts'
import { installPackages } from '../install-packages.ts'
import type { ChangedAgent, Packages, Upgrade } from './sdk-tables.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('./', import.meta.url))

/** So often each unchanged agent is replayed. */
const TIMES = 5

/** A replay, as `agent-program.mjs` prints it. */
interface PrintedReplay {
  readonly output?: unknown
  readonly status: string
  readonly error?: string
  readonly drift: readonly { readonly kind: string; readonly paths?: readonly string[] }[]
  readonly divergences: readonly {
    readonly cause: string
    readonly step: number
    readonly differences: readonly {
      readonly path: string
      readonly part?: string
      readonly expected?: unknown
      readonly received?: unknown
    }[]
  }[]
}

interface PrintedRecording {
  readonly output: unknown
  readonly contacts: readonly string[]
}

/** What came of a trial. */
export interface SdkFinding {
  /** What was tried: a new version, or a change. */
  readonly tried: string
  /** In the words of the table: a verdict, or a step and a place. */
  readonly found: string
  readonly expected: string
  /** What a reader needs to find out why it is not as expected. */
  readonly details: string
}

/** Records an agent with the old version of its SDK, and replays it with the old and the new one, each in a process of its own. */
export async function runUpgrade({ agent, from, to, expected }: Upgrade): Promise<SdkFinding[]> {
  await using old = await openProject(agent, from)
  await using upgraded = await openProject(agent, to)
  const recording = await old.record()
  const same = await old.replay()
  const [after] = await upgraded.replay({ store: old.store, times: 1 })
  return [
    toFinding('unchanged', '5 of 5 green', countGreen(same, recording), same),
    toFinding(`${from.join(', ')} → ${to.join(', ')}`, expected, verdictOf(after, recording), after),
  ]
}

/** Records an agent, and replays it unchanged and with each change, each in a process of its own. */
export async function runChanges({ agent, packages, changes }: ChangedAgent): Promise<SdkFinding[]> {
  await using project = await openProject(agent, packages)
  const recording = await project.record()
  const same = await project.replay()
  const findings = [toFinding('unchanged', '5 of 5 green', countGreen(same, recording), same)]
  for (const [change, { step, part, at }] of Object.entries(changes)) {
    const [changed] = await project.replay({ change, times: 1 })
    const [divergence] = changed?.divergences ?? []
    const place = divergence?.differences[0]
    const found = divergence === undefined ? 'green' : `${divergence.cause} at step ${divergence.step}: ${place?.part} ${place?.path}`
    findings.push(toFinding(change, `input at step ${step}: ${part} ${at}`, found, changed))
  }
  return findings
}

interface Project extends AsyncDisposable {
  readonly store: string
  record(): Promise<PrintedRecording>
  replay(options?: { readonly store?: string; readonly change?: string; readonly times?: number }): Promise<readonly PrintedReplay[]>
}

/** A folder below the installed packages, with the agent and the built package. */
async function openProject(agent: string, packages: Packages): Promise<Project> {
  const installed = await installPackages(packages.join('+'), packages, process.execPath)
  await mkdir(path.join(installed, 'runs'), { recursive: true })
  const folder = await mkdtemp(path.join(installed, 'runs', 'run-'))
  await mkdir(path.join(folder, 'node_modules'))
  const built = await buildPackage()
  await symlink(built, path.join(folder, 'node_modules', 'goldenrun'), 'junction')
  await cp(path.join(here, 'agents'), folder, { recursive: true })
  await cp(path.join(here, 'agent-program.mjs'), path.join(folder, 'agent-program.mjs'))
  const { keys } = (await import(pathToFileURL(path.join(folder, `${agent}.mjs`)).href)) as { readonly keys: readonly string[] }
  const store = path.join(folder, 'store')

  const start = async (machine: string, args: readonly string[]): Promise<unknown> => {
    const env = {
      PATH: process.env['PATH'],
      ...Object.fromEntries(keys.map((key, index) => [key, `${machine}-${index}-${'4f8b2c7d9e'.slice(index)}-of-${key.toLowerCase()}`])),
    }
    const command = ['--disable-warning=ExperimentalWarning', '--import', 'goldenrun/register', 'agent-program.mjs', agent, ...args]
    const { stdout } = await run(process.execPath, command, { cwd: folder, env, timeout: 120_000, maxBuffer: 2 ** 26 })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }
  return {
    store,
    record: async () => (await start('production', ['record', store])) as PrintedRecording,
    replay: async (options = {}) =>
      (await start('ci', [
        'replay',
        options.store ?? store,
        options.change ?? '',
        String(options.times ?? TIMES),
      ])) as readonly PrintedReplay[],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

function countGreen(replays: readonly PrintedReplay[], recording: PrintedRecording): string {
  const green = replays.filter((replay) => verdictOf(replay, recording) === 'held')
  return `${green.length} of ${replays.length} green${recording.contacts.length === 0 ? '' : `, unrecorded ${recording.contacts.join(', ')}`}`
}

/** A verdict in the words of the table, or another cause. */
function verdictOf(replay: PrintedReplay | undefined, { output }: PrintedRecording): string {
  if (replay === undefined) return 'nothing'
  const [divergence] = replay.divergences
  if (divergence !== undefined) return divergence.cause
  if (replay.status !== 'returned' || JSON.stringify(replay.output) !== JSON.stringify(output)) return `another outcome (${replay.status})`
  return replay.drift.length === 0
    ? 'held'
    : replay.drift.every(({ kind }) => kind === 'client' || kind === 'endpoint')
      ? 'drift'
      : 'drift of something else'
}

function toFinding(tried: string, expected: string, found: string, details: unknown): SdkFinding {
  return { tried, expected, found, details: JSON.stringify(details)?.slice(0, 1500) ?? '' }
}
