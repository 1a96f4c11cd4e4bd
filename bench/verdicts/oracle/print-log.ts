import { createHash } from 'node:crypto'
import type { WorldLog } from '../world/world-log.ts'
import { print } from './print.ts'
import { nameTimes } from './name-times.ts'

/** What a world saw, as comparable texts: equal texts cannot be told apart from outside. */
export interface PrintedLog {
  /** For each call: its name and input, the answers known then, whether the agent waited for it, and whether it came after the return. */
  readonly calls: readonly string[]
  readonly checkpoints: readonly PrintedCheckpoint[]
  readonly end: string
  /** The calls that had been answered by the end. */
  readonly answeredByEnd: string
}

/** A checkpoint. Equal texts are equal checkpoints at the same place. */
export interface PrintedCheckpoint {
  readonly text: string
  /** How many calls had been answered by then. */
  readonly answered: number
}

/**
 * Values that each run draws anew and that can be recognized: UUIDs and random tokens. No input of an agent and no answer contains one. A provider
 * of models takes any key, so only which calls have the same one can be told.
 */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:tok|sk)-[0-9a-z]+/g

/** Prints a log. Ids are named by where they first occurred, and times by the calls that they lie between. */
export function printLog(log: WorldLog): PrintedLog {
  const name = nameIds()
  const show = (label: string, value: unknown, at: number): string =>
    name(
      label,
      print(value, (leaf) => nameTimes(leaf, log, at)),
    )
  const calls: string[] = []
  const known = (after: ReadonlySet<number>): string =>
    [...after]
      .map((index) => calls[index] ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join(' ')
  for (const call of log.calls) {
    const asked = show(call.name, [call.input, call.headers], call.madeAt)
    calls.push(digest([call.name, asked, known(call.after), call.late ? 'late' : '', call.aborted ? 'aborted' : ''].join('\n')))
  }
  return {
    calls,
    checkpoints: log.checkpoints.map(({ name: reached, state, after }) => ({
      text: digest(`${reached}\n${show(reached, state, log.lastAt)}\n${known(after)}`),
      answered: after.size,
    })),
    end: show('end', log.end, log.lastAt),
    answeredByEnd: digest(known(log.endedAfter)),
  }
}

/** Names each id by the text that it first occurred in, which is the same in the next run. Two ids that swap places swap names. */
function nameIds(): (label: string, text: string) => string {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  return (label, text) => {
    const blank = digest(label + text.replaceAll(ID, '<id>'))
    const count = (seen.get(blank) ?? 0) + 1
    seen.set(blank, count)
    let fresh = 0
    return text.replaceAll(ID, (id) => {
      const name = names.get(id) ?? `<id ${(fresh += 1)} of ${blank} ${count}>`
      names.set(id, name)
      return name
    })
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
