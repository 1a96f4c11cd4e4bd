import { expect, vi } from 'vitest'
import { renewOf } from '../../src/goldens/accepted/renew-of.ts'
import type { AdvisedProject } from './advised-project.ts'
import type { Cases } from './follow.ts'

const source = new URL('../../src/index.ts', import.meta.url).href

/** The text of an agent whose environment variable `OWN_WORD` no recording has. */
const agentText = (body: string): string => `import { readFileSync } from 'node:fs'
import { external, tool } from '${source}'
const look = tool('look', { effect: 'read' }, async (id) => ({ id }))
const own = async () => process.env.OWN_WORD ?? 'as recorded'
const secret = () => readFileSync(new URL('./.env', import.meta.url), 'utf8')
export const agent = async () => { ${body} }
`
const sending = agentText('return await look(await own())')
const deciding = agentText("await look('one'); if ((await own()) === 'more') await look('two')")

/** Makes the golden of a module, and writes down what its run was made of. */
async function accept(project: AdvisedProject, text: string): Promise<void> {
  await project.directory.write('.env', 'PASSWORD=hunter2hunter2\n')
  await project.use(text)
  await project.golden(await project.load())
  await project.use(text)
  const lines = await project.inside(async () => await renewOf([project.directory.resolve('golden-traces/g.jsonl')]))
  expect(lines).toEqual(['Wrote golden-traces/agent.accepted, so that a red report can say what has changed.'])
}

/** Runs a body in which the variable has another value. */
async function elsewhere(word: string, body: () => Promise<void>): Promise<void> {
  vi.stubEnv('OWN_WORD', word)
  try {
    await body()
  } finally {
    vi.unstubAllEnvs()
  }
}

/** Records a module again, as it is after the advice, and holds it where the variable has another value. */
async function holdsElsewhere(project: AdvisedProject, text: string, word: string): Promise<void> {
  await project.use(text)
  await project.golden(await project.load())
  await project.use(text)
  await elsewhere(word, async () => await project.holds())
}

export const unreproducedCases: Cases<
  'check-not-compared' | 'not-reproduced' | 'leave-out' | 'source-as-step' | 'not-reproduced-decision' | 'decision-as-step'
> = {
  async 'check-not-compared'(project) {
    await accept(project, agentText('return await look(String(secret().length))'))
    await project.directory.write('.env', 'PASSWORD=hunter3\n')
    const { words } = await project.advised('check-not-compared')
    expect(words).toContain('.env')
    await project.directory.write('.env', 'PASSWORD=hunter2hunter2\n')
    await project.holds()
  },
  async 'not-reproduced'(project) {
    await accept(project, sending)
    await elsewhere('other', async () => {
      const { all, words } = await project.advised('not-reproduced')
      expect(words).toContain('docs/limits.md#values-that-goldenrun-does-not-see')
      expect(all.map(({ id }) => id)).toEqual(['not-reproduced', 'leave-out', 'source-as-step', 'debug'])
    })
  },
  async 'leave-out'(project) {
    await accept(project, sending)
    await elsewhere('other', async () => {
      await project.configure((await project.advised('leave-out')).command ?? '')
      await project.holds()
    })
  },
  async 'source-as-step'(project) {
    await accept(project, sending)
    await elsewhere('other', async () => void (await project.advised('source-as-step')))
    await holdsElsewhere(project, sending.replace('await own()', "await external('own', own)()"), 'other')
  },
  async 'not-reproduced-decision'(project) {
    await accept(project, deciding)
    await elsewhere('more', async () => {
      const { all } = await project.advised('not-reproduced-decision')
      expect(all.map(({ id }) => id)).toEqual(['not-reproduced-decision', 'decision-as-step', 'run-tools', 'debug'])
    })
  },
  async 'decision-as-step'(project) {
    await accept(project, deciding)
    await elsewhere('more', async () => void (await project.advised('decision-as-step')))
    await holdsElsewhere(project, deciding.replace('await own()', "await external('own', own)()"), 'more')
  },
}
