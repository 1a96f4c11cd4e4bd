import { readFileSync } from 'node:fs'
import type { StoredTrace } from '../../stores/trace-store.ts'
import { inspectStored } from '../../travel/inspect/inspect.ts'
import type { InspectedFrame } from '../../travel/inspect/inspected-run.ts'
import { printVariable } from '../../travel/inspect/print-variable.ts'
import type { EmbeddedRun, PageFrame } from '../../viewer/page-data.ts'
import { printPlace } from '../inspect/format-inspected.ts'

/**
 * The agent's variables around each step of a run, as a page shows them. The run is replayed for that.
 *
 * @throws as `inspect` does.
 */
export async function pageVariables(stored: StoredTrace): Promise<EmbeddedRun['variables']> {
  const { steps } = await inspectStored(stored)
  const read = new SourceLines()
  return Object.fromEntries(
    steps.map(({ step, frames, after = [] }) => [
      step,
      [...frames.map((frame) => toPageFrame(frame, 'before', read)), ...after.map((frame) => toPageFrame(frame, 'after', read))],
    ]),
  )
}

function toPageFrame(frame: InspectedFrame, moment: PageFrame['moment'], lines: SourceLines): PageFrame {
  const source = lines.of(frame)
  const variables = frame.scopes.flatMap((scope) => Object.entries(scope.variables))
  return {
    moment,
    place: printPlace(frame),
    ...(source !== undefined && { source }),
    variables: variables.map(([name, value]): [string, string] => [name, printVariable(value)]),
  }
}

/** Reads each file once. */
class SourceLines {
  readonly #files = new Map<string, readonly string[]>()

  of({ file, line }: InspectedFrame): string | undefined {
    let lines = this.#files.get(file)
    if (lines === undefined) {
      try {
        lines = readFileSync(file, 'utf8').split('\n')
      } catch {
        // Of another machine, or of a bundle without its sources.
        lines = []
      }
      this.#files.set(file, lines)
    }
    return lines[line - 1]?.trim()
  }
}
