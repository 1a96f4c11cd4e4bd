import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { loadTools, type Probes, tryProbes } from '../../../boundaries/register/programs/find-open.ts'
import * as modules from '../../../boundaries/register/programs/probes.mjs'
import * as packages from './package-probes.mjs'

const commonJs = createRequire(import.meta.url)('../../../boundaries/register/programs/probes.cjs') as Probes

it('tries every probe', { timeout: 60_000 }, async () => {
  const tools = await loadTools()
  const found = {
    modules: await tryProbes(modules, tools),
    packages: await tryProbes(packages, tools),
    commonJs: await tryProbes(commonJs, tools),
  }
  expect(Object.keys(found.modules).length).toBeGreaterThan(30)
  await writeFile(process.env['PROBES_FOUND'] ?? '', JSON.stringify(found))
})
