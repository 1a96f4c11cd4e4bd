import { writeFileSync } from 'node:fs'

import { toReportJsonSchema } from './report-schema.ts'
import { toJsonSchema } from './trace-schema.ts'

// Writes docs/trace.schema.json and docs/report.schema.json, the published forms of the schemas. Tests check that they are current.
const schemas = {
  'docs/trace.schema.json': toJsonSchema(),
  'docs/report.schema.json': toReportJsonSchema(),
}
for (const [path, schema] of Object.entries(schemas)) {
  const file = new URL(`../${path}`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}
