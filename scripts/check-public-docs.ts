/** Checks that every exported symbol has a docstring, and prints where one is missing. */
import { type PublicEntry, readPublicEntries } from './public-symbols.ts'

const findings = new Set(readPublicEntries((entries) => entries.flatMap(findUndocumented)))
for (const finding of findings) console.error(finding)
process.exitCode = findings.size > 0 ? 1 : 0

function findUndocumented({ file, symbols }: PublicEntry): string[] {
  if (symbols === undefined) return [`${file}:1: does not exist, or exports nothing`]
  return symbols.flatMap(({ name, place, isForeign, text }) => {
    if (place === undefined) return [`${file}:1: ${name} cannot be resolved`]
    return isForeign || text !== '' ? [] : [`${place}: ${name} has no docstring`]
  })
}
