import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, it } from 'vitest'

import { checkRow } from '../../src/trace/check-row.ts'
import type { Json } from '../../src/trace/json.ts'
import { ROW_KINDS, toJsonSchema } from '../../scripts/trace-schema.ts'
import { encodeRows, samples } from './samples.ts'

const ROOM = fileURLToPath(new URL('../../src/trace', import.meta.url))

it.each(samples)('accepts what the encoder writes, with every field: $name', ({ row, before }) => {
  for (const line of encodeRows([...before, row])) {
    const json = JSON.parse(line) as Json
    expect(checkRow(json)).toStrictEqual({ row: json })
  }
})

it('is published as it is: run node scripts/write-trace-schema.ts when this fails', () => {
  const published = readFileSync(new URL('../../docs/trace.schema.json', import.meta.url), 'utf8')
  expect(published).toBe(`${JSON.stringify(toJsonSchema(), null, 2)}\n`)
})

it('is published with every kind of row', () => {
  const { oneOf } = toJsonSchema() as { oneOf: { properties: { kind: { const: string } } }[] }
  expect(oneOf.map(({ properties }) => properties.kind.const)).toStrictEqual(ROW_KINDS)
})

it('is not loaded by what production loads: the encoder does without zod', () => {
  const seen = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)(?! type)(?:[\w\s{},*$]* from)? '([^']+)'/gm)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  visit(join(ROOM, 'codec/encoder.ts'))
  expect(seen.size).toBeGreaterThan(10)
  expect([...packages]).toStrictEqual([])
})

it('runs in a browser, like all of its room', () => {
  const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(30)
  for (const file of files) {
    const code = readFileSync(join(ROOM, file), 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    expect(/from 'node:|\bBuffer\.|\bprocess\./.test(code), file).toBe(false)
  }
})
