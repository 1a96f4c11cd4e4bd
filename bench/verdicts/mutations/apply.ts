import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Mutation } from './mutation.ts'

/** The folder for mutants, next to the agents, so that their imports from elsewhere resolve. */
const MUTANTS = path.join(import.meta.dirname, '../agents')

let written = 0

/**
 * Writes a copy of an agent with a mutation applied.
 *
 * @param source The folder of the agent's files.
 * @returns The copy's folder.
 * @throws Error if an edit does not fit: its text does not occur exactly once in its file.
 */
export function writeMutant(source: string, { name, edits }: Mutation): string {
  written += 1
  const folder = path.join(MUTANTS, `mutant-${process.pid}-${written}`)
  mkdirSync(folder)
  cpSync(source, folder, { recursive: true })
  for (const { file, from, to } of edits) {
    const target = path.join(folder, file)
    if (from === '') {
      writeFileSync(target, to)
      continue
    }
    const parts = readFileSync(target, 'utf8').split(from)
    if (parts.length !== 2)
      throw new Error(
        `The mutation "${name}" needs exactly one place in ${file} that reads ${JSON.stringify(from)}, but there are ${parts.length - 1}.`,
      )
    writeFileSync(target, parts.join(to))
  }
  return folder
}

export function removeMutant(folder: string): void {
  rmSync(folder, { recursive: true })
}
