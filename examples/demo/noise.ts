import { stripVTControlCharacters } from 'node:util'

/** Lines that differ from run to run, or say what is said already: the test runner's banner, rulers, times and the frames around code. */
const NOISE: readonly RegExp[] = [/^ *RUN +v\d/, /^ *(Start at|Duration) /, /⎯⎯⎯/, /^ +\d* *\|/]

/** How long a test took, at the end of its line. */
const TOOK = new RegExp(String.raw`(\u001b\[\d+m)? \d+(\u001b\[\d+m)?ms(\u001b\[\d+m)*$`)

/**
 * Creates a filter for the lines that a command prints, one at a time: it gives what is shown for a line, without noise, and without blank
 * lines at the beginning, at the end and after another.
 */
export function createNoiseFilter(): (line: string) => string[] {
  let isFirst = true
  let isBlankDue = false
  return (line) => {
    const plain = stripVTControlCharacters(line)
    if (plain.trim() === '') {
      isBlankDue = !isFirst
      return []
    }
    if (NOISE.some((noise) => noise.test(plain))) return []
    const shown = [...(isBlankDue ? [''] : []), line.replace(TOOK, '')]
    isFirst = false
    isBlankDue = false
    return shown
  }
}
