import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../../docs/doors.md', import.meta.url), 'utf8')

/** The lines that `docs/doors.md` has `goldenrun/register` say. A word in angle brackets stands for anything. */
export const documentedLines: readonly string[] = page.split('\n').filter((line) => line.startsWith('goldenrun/register: '))

/** The documented lines that a text is made of; a line that is not documented stands for itself. */
export function documentedIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => documentedLines.find((documented) => patternOf(documented).test(line)) ?? line)
}

function patternOf(documented: string): RegExp {
  const parts = documented.split(/<\w+>/).map((part) => part.replaceAll(/[.()[\]*+?^$|\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.+')}$`)
}
