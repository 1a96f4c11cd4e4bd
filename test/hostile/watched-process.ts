import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What came of a program that was watched. */
export interface WatchedProcess {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Standard output and standard error. */
  readonly output: string
  readonly stdout: string
  /** Why it was ended: it took more CPU time than it may, or it did nothing for a minute. */
  readonly hang?: string
  /** The CPU time that it and its processes took, in seconds. */
  readonly seconds: number
  /** The most memory that one of its processes took, in megabytes. */
  readonly megabytes: number
}

export interface WatchOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The most CPU time that it may take, in seconds. */
  readonly seconds: number
}

/** How often processes are looked at, in milliseconds. */
const PAUSE = 200
/** How long a program may do nothing, in milliseconds. */
const LONGEST_IDLE = 60_000
/** `/proc` counts CPU time in hundredths of a second. */
const TICKS = 100

/**
 * Runs a program, and looks at what it and its processes take. CPU time says how long a program takes however busy the machine is.
 *
 * @note Without `/proc`, memory and CPU time read as 0, and a program ends after a minute.
 */
export async function watchProcess(file: string, args: readonly string[], { cwd, env, seconds }: WatchOptions): Promise<WatchedProcess> {
  // A group of its own, so that all of its processes can be ended.
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const { pid = 0 } = child
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()))
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...result) => resolve(result))
  })
  const taken = new Map<number, Taken>()
  const all = (): readonly Taken[] => [...taken.values()]
  const cpu = (): number => all().reduce((sum, each) => sum + each.seconds, 0)
  let hang: string | undefined
  let [latest, since] = [0, Date.now()]
  for (;;) {
    for (const each of processesOf(pid)) taken.set(each.pid, each)
    if (cpu() > latest) [latest, since] = [cpu(), Date.now()]
    if (cpu() > seconds) hang = `took more than ${Math.round(seconds)} s of CPU time`
    else if (Date.now() - since > LONGEST_IDLE) hang = 'did nothing for a minute'
    if (hang !== undefined) process.kill(-pid, 'SIGKILL')
    if (hang !== undefined || (await Promise.race([ended, sleep(PAUSE)])) !== undefined) break
  }
  const [status, signal] = await ended
  const megabytes = Math.max(0, ...all().map((each) => each.megabytes))
  return { status, signal, stdout, output: `${stdout}${stderr}`, seconds: cpu(), megabytes, ...(hang !== undefined && { hang }) }
}

/** What a process has taken so far. */
export interface Taken {
  readonly pid: number
  readonly seconds: number
  readonly megabytes: number
}

/** Returns what the processes of a group have taken so far. */
function processesOf(group: number): Taken[] {
  return pids().flatMap((pid) => {
    const stat = statOf(pid)
    return stat?.group === group ? [{ pid, seconds: stat.seconds, megabytes: peakOf(pid) }] : []
  })
}

/** Returns the CPU time that a process has taken so far, in seconds; 0 where the system does not say. */
export function secondsOf(pid: number): number {
  return statOf(pid)?.seconds ?? 0
}

/** Returns the most memory that a process has had, in megabytes, since it began or since `forgetPeakOf`; 0 where the system does not say. */
export function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1000
}

/** Lets `peakOf` begin anew. @note Only Linux does. */
export function forgetPeakOf(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Then the peak is that of all mutants that the process has replayed.
  }
}

function statOf(pid: number): { readonly group: number; readonly seconds: number } | undefined {
  // The name of the program, in parentheses, may have spaces.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  if (fields.length < 13) return undefined
  return { group: Number(fields[2]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS }
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** A process may end at any time. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
