/**
 * Records the goldens of a project of `test/projects` anew, from its own agents and with the packed package, against a world on loopback:
 * `node test/projects/record-goldens.ts vitest-5`, of a package of it `node test/projects/record-goldens.ts monorepo packages/web`.
 */
import { existsSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { listen } from '../../examples/world/listen.ts'
import { playList } from '../../examples/world/play-list.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { packPackage } from '../support/pack-package.ts'
import { createPackedProject } from '../support/packed-project.ts'
import { answerOrder, type GoldenToRecord, goldens } from './goldens.ts'

const [name, folder = '.'] = process.argv.slice(2)
if (name === undefined) throw new Error('Name a project: node test/projects/record-goldens.ts vitest-5')

await using packed = await packPackage()
await using project = await createPackedProject(name, packed.tarball)
for (const golden of goldens) {
  if (existsSync(path.join(project.committed, folder, golden.agent.module))) await record(golden)
}

async function record({ name: goldenName, description, agent, input, turns, edit }: GoldenToRecord): Promise<void> {
  await project.restore()
  await writeFile(
    path.join(project.folder, folder, 'record-run.ts'),
    `import { createRecorder } from 'goldenrun'
import { ${agent.exported} } from '${agent.module}'

const recorder = createRecorder({ store: '.goldenrun/runs' })
await recorder.run({ agent: '${agent.name}', input: ${JSON.stringify(input)} }, ${agent.exported})
await recorder.close()
`,
  )
  if (edit !== undefined) await project.edit({ ...edit, file: path.join(folder, edit.file) })
  await using provider = await startProvider({ script: playList(turns) })
  await using shop = await listen(async (incoming, response) => answerOrder(incoming.url ?? '', response), { port: 4020 })
  const keys = {
    // As the projects' own configs say.
    JITI_TSCONFIG_PATHS: 'true',
    ORDERS_URL: shop.url,
    OPENAI_API_KEY: 'sk-local',
    OPENAI_BASE_URL: provider.openaiBaseUrl,
    ANTHROPIC_API_KEY: 'sk-local',
    ANTHROPIC_BASE_URL: provider.anthropicBaseUrl,
  }
  await runOrThrow('npx jiti record-run.ts', keys)
  await runOrThrow(`npx goldenrun promote latest --name ${goldenName} --describe "${description}" --yes --force`)
  const file = path.join(folder, 'golden-traces', `${goldenName}.jsonl`)
  await cp(path.join(project.folder, file), path.join(project.committed, file))
  await rm(path.join(project.folder, folder, '.goldenrun'), { recursive: true })
}

async function runOrThrow(line: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, output } = await project.run(`cd ${folder} && ${line}`, env)
  console.log(output)
  if (status !== 0) throw new Error(`${line} ended with ${String(status)}.`)
}
