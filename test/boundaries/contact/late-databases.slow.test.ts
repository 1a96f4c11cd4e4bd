import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace
beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)
afterAll(() => workspace[Symbol.asyncDispose]())

const ways: readonly (readonly [way: string, load: string])[] = [
  ['import()', "await import('node:sqlite')"],
  ['process.getBuiltinModule', "process.getBuiltinModule('node:sqlite')"],
  ['require', "createRequire(import.meta.url)('node:sqlite')"],
]

/** A project with an agent that loads SQLite itself, and a golden of it that knows of no database. */
async function createProject(agent: string): Promise<VitestProject> {
  const project = await workspace.project({
    'src/agent.ts': "export const agent = async (): Promise<string> => 'done'\n",
    'goldenrun.config.ts': `import { defineConfig } from 'goldenrun/config'
export default defineConfig({ agents: { orders: './src/agent.ts#agent' } })
`,
    'vitest.config.ts': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [goldenrun()] })
`,
    'record.ts': `import { createRecorder } from 'goldenrun'
import { agent } from './src/agent.ts'
const recorder = createRecorder()
await recorder.run({ agent: 'orders' }, agent)
await recorder.close()
`,
    'set-up.ts': `import { DatabaseSync } from 'node:sqlite'
new DatabaseSync('orders.db').exec('CREATE TABLE orders (id TEXT)')
`,
    'count.ts': `import { DatabaseSync } from 'node:sqlite'
console.log(new DatabaseSync('orders.db').prepare('SELECT count(*) AS orders FROM orders').get().orders)
`,
  })
  await run(project, 'set-up.ts')
  await run(project, 'record.ts')
  expect(await project.goldenrun(['promote', 'latest', '--name', 'orders', '--yes'])).toMatchObject({ status: 0, stderr: '' })
  await project.write('src/agent.ts', agent)
  return project
}

async function run(project: VitestProject, file: string): Promise<string> {
  const { status, stdout, stderr } = await runNode(project.path, ['--disable-warning=ExperimentalWarning', path.join(project.path, file)])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trim()
}

const insert = `new DatabaseSync('orders.db').exec("INSERT INTO orders VALUES ('ord_1')")`

it.each(ways)('lets no replay write to a database whose module the run itself loads with %s', async (_way, load) => {
  const project = await createProject(`import { createRequire } from 'node:module'
void createRequire
export const agent = async (): Promise<string> => {
  const { DatabaseSync } = ${load}
  ${insert}
  return 'done'
}
`)
  const { status, stdout } = await project.goldenrun(['replay', 'orders'])
  expect(stdout).toContain('sqlite INSERT')
  expect(status).toBe(1)
  const tested = await project.vitest(['run'])
  expect(tested.output).toContain('sqlite INSERT')
  expect(tested.status).toBe(1)
  expect(await run(project, 'count.ts')).toBe('0')
  // A recording has it as a step.
  await run(project, 'record.ts')
  expect((await project.goldenrun(['show', 'latest'])).stdout).toContain('sqlite INSERT')
  expect(await run(project, 'count.ts')).toBe('1')
})

it.each(['libsql', 'better-sqlite3'])('lets no replay write to a database of %s, which the agent imports', async (driver) => {
  const project = await createProject(`import Database from '${driver}'
export const agent = async (): Promise<string> => {
  new Database('orders.db').exec("INSERT INTO orders VALUES ('ord_1')")
  return 'done'
}
`)
  await mkdir(path.join(project.path, 'node_modules'), { recursive: true })
  await symlink(path.resolve('node_modules', driver), path.join(project.path, 'node_modules', driver), 'junction')
  const { status, stdout } = await project.goldenrun(['replay', 'orders'])
  expect(stdout).toContain(`${driver} INSERT`)
  expect(status).toBe(1)
  const tested = await project.vitest(['run'])
  expect(tested.output).toContain(`${driver} INSERT`)
  expect(tested.status).toBe(1)
  expect(await run(project, 'count.ts')).toBe('0')
})

it('lets no module of an agent write to a database while it is loaded', async () => {
  const project = await createProject(`import { DatabaseSync } from 'node:sqlite'
try {
  ${insert}
} catch {}
export const agent = async (): Promise<string> => 'done'
`)
  const { status, stderr } = await project.goldenrun(['replay', 'orders'])
  expect(stderr).toContain('goldenrun refused to contact orders.db (database)')
  expect(status).toBe(0)
  const tested = await project.vitest(['run'])
  expect(tested.output).toContain('goldenrun refused to contact orders.db (database)')
  expect(tested.status).toBe(0)
  expect(await run(project, 'count.ts')).toBe('0')
})
