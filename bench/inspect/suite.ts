import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildPackage } from '../../test/support/build-package.ts'
import type { InspectedProject } from '../../test/travel/inspect/inspected-project.ts'
import type { RepeatedInspection } from '../../test/travel/inspect/repeat-inspected.ts'
import { programs } from '../../test/chaos/programs.ts'
import type { Suite } from '../figures.ts'
import { runChild } from '../run-child.ts'
import { createLooperProject } from './project.ts'

/** Measures what reading an agent's variables costs, and how long it takes to stop the agent. */
export const measureInspect: Suite = async (note, { quick }) => {
  const [steps, rounds, replays] = quick ? [10, 1, 2] : [300, 7, 25]
  note(`Recording a run of ${steps} steps.`)
  await using project = await createLooperProject(steps)
  const [inspected, replayed, stopped]: [Process[], Process[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    note(`Round ${round + 1} of ${rounds}.`)
    replayed.push(await run(project, ['replay', 'latest']))
    inspected.push(await run(project, ['inspect', 'latest', '--json', '--out', 'variables.json']))
    stopped.push(await timeToStop(project, Math.ceil(steps / 2)))
  }
  const equal = await countEqual(note, replays)
  const [inspectMs, replayMs] = [median(inspected.map(({ ms }) => ms)), median(replayed.map(({ ms }) => ms))]
  const [inspectMb, replayMb] = [median(inspected.map(({ mb }) => mb)), median(replayed.map(({ mb }) => mb))]
  return {
    metrics: {
      inspect_ms_per_step: {
        value: inspectMs / steps,
        unit: 'ms',
        against: `the whole command over ${steps} steps: ${inspectMs.toFixed(0)} ms; goldenrun replay of the same run: ${replayMs.toFixed(0)} ms`,
      },
      inspect_hash_equal: {
        value: equal.equal / equal.replays,
        unit: 'of all',
        against: `${equal.equal} of ${equal.replays} inspected replays of ${Object.keys(programs).length} hard runs have the hash of their trace`,
        goal: 1,
        better: 'more',
      },
      debug_to_stop_ms: {
        value: median(stopped),
        unit: 'ms',
        against: `from the command to the stop at step ${Math.ceil(steps / 2)} of ${steps}`,
      },
      inspect_memory_mb: {
        value: inspectMb,
        unit: 'MB',
        against: `the largest process of the command, ${steps} steps; goldenrun replay: ${replayMb.toFixed(0)} MB`,
      },
    },
  }
}

/** The cost of a command: wall-clock time, and the memory of its largest process. */
interface Process {
  readonly ms: number
  readonly mb: number
}

async function run(project: InspectedProject, args: readonly string[]): Promise<Process> {
  const folder = project.resolve('memory')
  mkdirSync(folder)
  const started = performance.now()
  const { status, stderr } = await project.run(args, {
    BENCH_MEMORY: folder,
    NODE_OPTIONS: `--import=${project.resolve('tell-memory.mjs')}`,
  })
  const ms = performance.now() - started
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const kilobytes = readdirSync(folder).map((file) => Number(readFileSync(path.join(folder, file), 'utf8')))
  rmSync(folder, { recursive: true })
  return { ms, mb: Math.max(...kilobytes) / 1024 }
}

/** Returns the milliseconds from the start of `goldenrun debug` until it prints where it is stopped. */
async function timeToStop(project: InspectedProject, step: number): Promise<number> {
  const program = path.join(await buildPackage(), 'dist/cli.js')
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'debug', 'latest', '--at', String(step)], { cwd: project.path })
  let output = ''
  for await (const bytes of child.stdout) {
    output += String(bytes)
    if (output.includes(`Step ${step}, before`)) break
  }
  const ms = performance.now() - started
  child.kill()
  if (!output.includes(`Step ${step}, before`)) throw new Error(`goldenrun debug did not stop at step ${step}: ${output}`)
  return ms
}

async function countEqual(note: (line: string) => void, replays: number): Promise<{ readonly equal: number; readonly replays: number }> {
  const program = new URL('../../test/travel/inspect/repeat-inspected-program.ts', import.meta.url)
  let equal = 0
  const names = Object.keys(programs)
  for (const name of names) {
    note(`Inspecting ${name} ${replays} times.`)
    equal += ((await runChild(program, { programArguments: [name, String(replays), 'bench'] })) as RepeatedInspection).equal
  }
  return { equal, replays: replays * names.length }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
