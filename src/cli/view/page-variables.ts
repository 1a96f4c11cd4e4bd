import { readFileSync } from 'node:fs'
import { knownOrMade } from '../../trace/remember.ts'
import type { StoredTrace } from '../../stores/trace-store.ts'
import { inspectStored } from '../../travel/inspect/inspect.ts'
import type { InspectedFrame } from '../../travel/inspect/inspected-run.ts'
import { printVariable } from '../../travel/inspect/print-variable.ts'
import type { EmbeddedRun, PageFrame } from '../../viewer/page-data.ts'
import { printPlace } from '../inspect/format-inspected.ts'
import { orElse } from '../../trace/or-else.ts'

/**
 * Returns the agent's variables around each step of a run, in the form that a page shows. The run is replayed for this.
 *
 * @throws as `inspect` does.
 */
export async function pageVariables(stored: StoredTrace): Promise<EmbeddedRun['variables']> {
  const { steps } = await inspectStored(stored)
  // Each file is read once.
  const files = new Map<string, readonly string[]>()
  const sourceOf = ({ file, line }: InspectedFrame): string | undefined => knownOrMade(files, file, () => readLines(file))[line - 1]?.trim()
  const toPage = (moment: PageFrame['moment'], frames: readonly InspectedFrame[]): PageFrame[] =>
    frames.map((frame) => toPageFrame(frame, moment, sourceOf(frame)))
  return Object.fromEntries(steps.map(({ step, frames, after = [] }) => [step, [...toPage('before', frames), ...toPage('after', after)]]))
}

function toPageFrame(frame: InspectedFrame, moment: PageFrame['moment'], source: string | undefined): PageFrame {
  const variables = frame.scopes.flatMap((scope) => Object.entries(scope.variables))
  return {
    moment,
    place: printPlace(frame),
    ...(source !== undefined && { source }),
    variables: variables.map(([name, value]): [string, string] => [name, printVariable(value)]),
  }
}

/** Returns no lines for a file from another machine, or of a bundle without its sources. */
function readLines(file: string): readonly string[] {
  return orElse(() => readFileSync(file, 'utf8').split('\n'), [])
}
