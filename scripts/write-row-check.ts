import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rowSchema, valueSchemas } from './trace-schema.ts'
import { writeRowCheck } from './row-check-code.ts'

const file = new URL('../src/trace/row-check.ts', import.meta.url)

/**
 * Writes src/trace/row-check.ts, which checks rows when a trace is read, unless it is current with the schema of rows. Tests, checks, builds
 * and benches call it first, `npm ci` last. The file is generated: do not edit or commit it.
 */
export function bringRowCheckUpToDate(): void {
  const code = writeRowCheck(rowSchema, valueSchemas)
  if (existsSync(file) && readFileSync(file, 'utf8') === code) return
  // Another process may be reading it.
  const written = new URL(`row-check.${process.pid}.tmp`, file)
  writeFileSync(written, code)
  renameSync(written, file)
}

if (import.meta.main) bringRowCheckUpToDate()
