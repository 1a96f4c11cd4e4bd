import * as cuid2 from '@paralleldrive/cuid2'
import * as nanoid from 'nanoid'
import * as ulid from 'ulid'
import * as uuid from 'uuid'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { idLibraries, nanoidInRuns } from '../../../src/boundaries/identity/id-libraries.ts'
import { type UuidExports, uuidInRuns } from '../../../src/boundaries/identity/uuid.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const inRuns = idLibraries.get('uuid')?.inRuns(uuid) as UuidExports

it('knows names that the libraries export', () => {
  for (const [name, exports] of Object.entries({ nanoid, ulid, uuid, '@paralleldrive/cuid2': cuid2 })) {
    const library = idLibraries.get(name)
    expect(library?.names.filter((exported) => !(exported in exports))).toEqual([])
    expect(Object.keys(library?.inRuns(exports) ?? {})).toEqual(library?.names)
  }
})

it('hands calls outside of every run to the library', () => {
  const own: UuidExports = { v1: () => 'v1', v4: () => 'v4', v6: () => 'v6', v7: () => 'v7' }
  const wrapped = uuidInRuns(own)
  expect([wrapped.v1?.(), wrapped.v4?.(), wrapped.v6?.(), wrapped.v7?.()]).toEqual(['v1', 'v4', 'v6', 'v7'])
  expect(nanoidInRuns(nanoid).nanoid?.(5)).toHaveLength(5)
})

it('draws 16 bytes and the time for a time-based uuid, and nothing else', async () => {
  for (const generate of [inRuns.v1, inRuns.v6, inRuns.v7]) {
    const { trace } = await recordRun(() => generate?.())
    expect(rowsOf(trace, 'reads').map(({ clock, bytes }) => [clock?.length, bytes?.map(({ length }) => length)])).toEqual([[1, [16]]])
  }
})

it('makes uuids of their version, in order', async () => {
  const { output } = await recordRun(() =>
    Array.from({ length: 500 }, () => [inRuns.v1?.(), inRuns.v4?.({}), inRuns.v6?.(), inRuns.v7?.()].map(String)),
  )
  for (const [column, version] of [1, 4, 6, 7].entries()) {
    const ids = output.map((row) => row[column] ?? '')
    expect(new Set(ids).size).toBe(500)
    expect(new Set(ids.map((id) => uuid.version(id)))).toEqual(new Set([version]))
    const inOrder = version === 7 ? ids.toSorted((a, b) => a.localeCompare(b)) : ids
    expect(ids).toEqual(inOrder)
  }
})

it('tells ids of one millisecond apart by a counter, as the library does', async () => {
  const realNow = Date.now
  const { output } = await recordRun(() => {
    Date.now = () => 1_795_000_000_000
    try {
      return [1, 2, 3].map(() => [inRuns.v1?.(), inRuns.v7?.()].map(String))
    } finally {
      Date.now = realNow
    }
  })
  const low = (id: string | undefined): number => Number.parseInt(id?.slice(0, 8) ?? '', 16)
  const [first, second, third] = output
  expect([low(second?.[0]) - low(first?.[0]), low(third?.[0]) - low(second?.[0])]).toEqual([1, 1])
  // Node and clock sequence stay.
  expect(new Set(output.map(([id]) => id?.slice(19))).size).toBe(1)
  const ordered = output.map((row) => row[1] ?? '')
  expect(ordered.toSorted((a, b) => a.localeCompare(b))).toEqual(ordered)
})

it('refuses a size as the library does, in a run too', async () => {
  const wrapped = nanoidInRuns(nanoid)
  const tryAll = (): unknown[] => [-1, 0, Number.NaN].map((size) => refusalOf(() => wrapped.nanoid?.(size)))
  const outside = tryAll()
  expect(outside).toEqual(['Wrong ID size', '', ''])
  expect((await recordRun(tryAll)).output).toEqual(outside)
})

it('draws more than the platform gives at once', async () => {
  const { output } = await recordRun(() => nanoidInRuns(nanoid).nanoid?.(100_000)?.length)
  expect(output).toBe(100_000)
})

function refusalOf(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    return (error as Error).message
  }
}
