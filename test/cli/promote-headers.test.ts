import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const agent = async ({ url, shop }: { readonly url: string; readonly shop: string }, context: { readonly tenant: string }) => {
  const headers = { 'x-tenant': context.tenant, 'x-shop': shop, 'x-plan': 'written-in-code', 'x-short': 'abc' }
  for (let call = 0; call < 2; call += 1) await (await fetch(url, { headers })).text()
}

it.each([
  ['names a header that comes from the context, and how to leave it out', { tenant: 'tenant-4711' }],
  ['names no header of a run without a context', undefined],
])('%s', async (_title, context) => {
  await using shop = await listen(async (request, response) => {
    for await (const _ of request);
    response.end('ok')
  })
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('agent.js', `export const plan = 'written-in-code'\n`)
  execFileSync('git', ['init', '-q'])
  execFileSync('git', ['add', 'agent.js'])
  const recorder = createRecorder({ store: '.goldenrun/runs' })
  const input = { url: shop.url, shop: 'shop-of-ann' }
  if (context === undefined) await recorder.run({ agent: 'support', input }, (given) => agent(given, { tenant: 'tenant-4711' }))
  else await recorder.run({ agent: 'support', input, context }, agent)
  await recorder.close()

  const { stdout } = await runCommand(project.path, ['promote', 'latest', '--name', 'tenants', '--yes'])
  const told = stdout.split('\n').filter((line) => line.startsWith('  header '))
  expect(told.map((line) => line.trim().replace(/^header +/, ''))).toEqual(
    context === undefined
      ? []
      : [
          "x-tenant: tenant-4711 of steps 1, 2 comes from the context, as it seems, and is compared. To leave it out: headers: { ignore: ['x-tenant'] }",
        ],
  )
})
