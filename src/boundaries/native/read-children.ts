import { readdirSync } from 'node:fs'
import { readText } from './read-proc.ts'
import type { Sighting } from './sighting.ts'

type Child = Extract<Sighting, { kind: 'child' }>

/**
 * The processes that this process has started and that have not been waited for, whichever thread started them. None for the first process of a
 * machine or container, to which the kernel gives the children of others that ended.
 */
export function readChildren(): Child[] {
  if (process.pid === 1) return []
  const pids = readdirSync('/proc/self/task').flatMap((thread) =>
    readText(`/proc/self/task/${thread}/children`)
      .split(' ')
      .filter((pid) => pid !== ''),
  )
  return pids.flatMap((pid) => {
    const [program, fields = []] = readStat(pid) ?? []
    if (program === undefined) return []
    // Field 22 is the time of the start in ticks of the clock, of which every Linux shows programs a hundred a second.
    const ticks = fields[19] ?? ''
    return [{ kind: 'child', id: `${pid} ${ticks}`, pid: Number(pid), startedAt: Number(ticks) / 100, program }]
  })
}

/** The page faults of children that were waited for: fields 11 and 13. Each child has some. */
export function faultsOfEnded(): number {
  const fields = readStat('self')?.[1] ?? []
  return Number(fields[8] ?? 0) + Number(fields[10] ?? 0)
}

/** Reads the name of a program, and the fields behind it, from the third on. Source: proc_pid_stat(5). */
function readStat(pid: string): readonly [string, readonly string[]] | undefined {
  const [, program, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readText(`/proc/${pid}/stat`)) ?? []
  return program === undefined || rest === undefined ? undefined : [program, rest.trim().split(' ')]
}
