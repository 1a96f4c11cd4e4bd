import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isFileRow, parseRows } from '../../replay/traces/accepted/accepted-rows.ts'
import { orElse } from '../../trace/or-else.ts'

/** Returns the goldens of a directory whose accepted runs were made of one of these files. All paths are absolute. */
export function goldensMadeOf(directory: string, files: ReadonlySet<string>): string[] {
  const project = path.dirname(directory)
  const lists = orElse(() => readdirSync(directory), []).filter((name) => name.endsWith('.accepted'))
  return lists.flatMap((name) => {
    const rows = parseRows(orElse(() => readFileSync(path.join(directory, name), 'utf8'), ''))
    if (!rows.some((row) => isFileRow(row) && files.has(path.join(project, row.name)))) return []
    return rows.filter(({ kind }) => kind === 'golden').map((row) => path.join(project, row.name))
  })
}
