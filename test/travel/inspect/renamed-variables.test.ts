import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { SourcePositions } from '../../../src/travel/inspect/source-positions.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

const source = `export function agent(first: string, second: string, third: string): string[] {
  return [
    first,
    second,
    third,
  ]
}
`

it('finds the source names of variables that a bundler has renamed, on whichever line they are used', async () => {
  await using directory = await createTemporaryDirectory()
  await directory.write('agent.ts', source)
  await using bundle = await rolldown({ input: directory.resolve('agent.ts') })
  const file = directory.resolve('agent.mjs')
  await bundle.write({ file, minify: { mangle: true, compress: false, codegen: { removeWhitespace: false } }, sourcemap: true })
  const script = await directory.read('agent.mjs')
  const lines = script.split('\n')
  const used = /\[\s*(\w+),\s*(\w+),\s*(\w+)\s*\]/.exec(script)?.slice(1) ?? []
  expect(new Set(['first', 'second', 'third', ...used]).size).toBe(6)
  const positions = new SourcePositions()
  positions.add({ scriptId: '1', url: pathToFileURL(file).href, sourceMapURL: 'agent.mjs.map' })
  // Each use is alone on its line.
  const start = lines.findIndex((line) => line.includes('['))
  const end = lines.findIndex((line) => line.includes(']'))
  expect(end - start).toBe(4)
  const place = (lineNumber: number) => ({ scriptId: '1', lineNumber, columnNumber: 0 })
  const names = positions.namesIn({ start: place(start), end: place(end) }, used)
  expect(used.map((name) => names.get(name))).toEqual(['first', 'second', 'third'])
})
