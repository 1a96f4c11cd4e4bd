import { stripVTControlCharacters } from 'node:util'
import { withoutNetworkNote } from './run-command.ts'

/**
 * What a test runner printed, without what differs from run to run: times, the project's folder, rulers as wide as a terminal, versions, the order of
 * the failures of several Vitest projects.
 */
export function withoutRunnerNoise(output: string, folder: string): string {
  const text = withoutNetworkNote(stripVTControlCharacters(output))
    .replaceAll('\r\n', '\n')
    .replaceAll(folder, '<project>')
    .split('\n')
    .filter((line) => !isNoise(line))
    .map((line) => line.replace(/ \(?\d+(\.\d+)? ?m?s\)?$/, '').trimEnd())
    .join('\n')
    .replaceAll(/ RUN {2}v\d\S*/g, ' RUN  v#')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return withSortedFailures(text)
}

/** @note Vitest looks for the files of all projects at once, and prints failures in the order in which it found the files. */
function withSortedFailures(output: string): string {
  return output.replace(/^ FAIL {2}\|.*?(?=\n\n Test Files )/ms, (failures) =>
    failures
      .split(/\n\n(?= FAIL )/)
      .toSorted()
      .join('\n\n'),
  )
}

function isNoise(line: string): boolean {
  return ofVitest.test(line) || ofJest.test(line) || ofNpm.test(line)
}

/** @note Times, and hints about what takes them, which depend on the machine. */
const ofVitest =
  /^ *((Using Yarn PnP with Vite is discouraged|Start at|Duration|Import|Isolate|Transform|Environment) |~\d|at least|learn more)|⎯⎯⎯/
const ofJest = /^Time: /
/** What npm and pnpm say of themselves, and the script that they run. */
const ofNpm = /^(npm (warn|notice)|> \S|\$ |\s*\[?ELIFECYCLE)/
