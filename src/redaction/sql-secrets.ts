import type { Found } from './rule.ts'
import type { RuleSet } from './rule-set.ts'
import { readSqlColumns } from './sql-columns.ts'

/** Finds the texts of a statement that belong to columns with secrets. */
export function findInColumns(
  sql: string,
  { isField }: Pick<RuleSet, 'isField'>,
  find: (text: string, field: string | undefined, holder: string | undefined) => readonly Found[] | undefined,
): Found[] {
  return readSqlColumns(sql).texts.flatMap(({ columns, start, end }) => {
    const column = columns.find((name) => isField(name))
    const found = column === undefined ? [] : find(sql.slice(start, end), column, column)
    return (found ?? []).map((each) => ({ ...each, start: start + each.start, end: start + each.end }))
  })
}
