import { parseArgs } from 'node:util'
import { createNarrator } from './narrator.ts'
import { keepPage } from './keep-page.ts'
import { createProject } from './project.ts'
import { openInBrowser } from '../../src/cli/view/open-in-browser.ts'
import { tellStory } from './story.ts'

// npm run demo [-- --keep]
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
const isColored = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const narrator = createNarrator((line) => process.stdout.write(`${line}\n`), isColored)

const started = performance.now()
const project = await createProject({ isColored, onOutput: (line) => narrator.output(line) })
try {
  await tellStory(project, narrator)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const page = await keepPage(project)
  narrator.ending(`Every act came out as told, in ${seconds} seconds. The double refund as a page: ${page}`)
  if (process.stdout.isTTY) await openInBrowser(page)
} catch (error) {
  narrator.failure(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  if (values.keep) narrator.ending(`The project is kept: ${project.folder}`)
  else await project.remove()
}
