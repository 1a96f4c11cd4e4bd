import { parseArgs } from 'node:util'
import { createNarrator } from './narrator.ts'
import { keepPage } from './keep-page.ts'
import { createProject, incidentFiles, supportFiles } from './project.ts'
import { openInBrowser } from '../../src/cli/view/open-in-browser.ts'
import { tellSearchStory } from './search-story.ts'
import { tellStory } from './story.ts'

// npm run demo [-- --keep]
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
const isColored = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const narrator = createNarrator((line) => process.stdout.write(`${line}\n`), isColored)

const started = performance.now()
const shown = { isColored, onOutput: (line: string) => narrator.output(line) }
const projects = [await createProject(supportFiles, shown), await createProject(incidentFiles, shown)] as const
const [support, incident] = projects
try {
  await tellStory(support, narrator)
  await tellSearchStory(incident, narrator)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const page = await keepPage(support)
  narrator.ending(`Every act came out as told, in ${seconds} seconds. The double refund as a page: ${page}`)
  if (process.stdout.isTTY) await openInBrowser(page)
} catch (error) {
  narrator.failure(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  for (const project of projects) {
    if (values.keep) narrator.ending(`A project is kept: ${project.folder}`)
    else await project.remove()
  }
}
