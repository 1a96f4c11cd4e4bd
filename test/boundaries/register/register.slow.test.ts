import { expect, it } from 'vitest'
import { openReads } from '../../conformance/reads/open-reads.ts'
import { openIn, runProbe } from './run-probe.ts'

it('is needed for what docs/conformance.md says it is', async () => {
  const { stdout } = await runProbe()
  const explained = openReads.filter(({ modes }) => modes.includes('node, early'))
  const open = openIn(stdout)
  const tried = JSON.parse(stdout) as Record<string, Record<string, boolean>>
  for (const kind of ['commonJs', 'modules'] as const) {
    // Not every Node has a `Temporal`.
    const names = explained.flatMap(({ probes }) => probes[kind] ?? []).filter((name) => name in (tried[kind] ?? {}))
    expect(open[kind]?.toSorted()).toEqual(names.toSorted())
  }
})
