import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))

/** Everything that an entry can load, also later, as a bundler follows it: files of `src`, and packages by name. */
async function reachedFrom(entry: string): Promise<readonly string[]> {
  const packages = new Set<string>()
  const bundle = await rolldown({
    input: `${sources}${entry}.ts`,
    platform: 'node',
    external(id) {
      const isPackage = !/^[./]/.test(id)
      if (isPackage && !id.startsWith('node:')) packages.add(id)
      return isPackage
    },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const files = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  return [...files.map((file) => file.slice(sources.length)), ...packages]
}

it.each(['index', 'register'])('the entry %s reaches nothing of replays, no schema and no test runner', async (entry) => {
  const reached = await reachedFrom(entry)
  expect(reached).toContain('run/scope.ts')
  const isForeign = /^(?:replay|goldens|matchers|vitest|jest|cli|divergence\/report)\/|^(?:zod|msw|vitest|@vitest|@jest|minizlib)\b/
  expect(reached.filter((name) => isForeign.test(name))).toEqual([])
})

it('would see what an entry brings in', async () => {
  expect(await reachedFrom('replay')).toEqual(expect.arrayContaining(['replay/replay.ts', 'msw']))
})
