import { expect, it } from 'vitest'
import { expectAwaitedOnly, NOT_AWAITED_TESTS, type RanTest } from '../support/not-awaited.ts'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

const PLAY = `import { beforeAll, describe, expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'

const play = (name = 'cancel-unshipped') => replay(name, supportAgent)
const playConcurrently = play
`

it('fails a test that ends while a replay or an assertion of it is in progress', async () => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project({ ...(await supportProject()), 'test/not-awaited.test.ts': PLAY + NOT_AWAITED_TESTS })
  const { status } = await project.vitest(['run', 'test/not-awaited.test.ts', '--reporter=json', '--outputFile=told.json'])
  const { testResults } = JSON.parse(await project.read('told.json')) as { testResults: { assertionResults: RanTest[] }[] }
  expectAwaitedOnly(testResults.flatMap(({ assertionResults }) => assertionResults))
  expect(status).toBe(1)
}, 120_000)
