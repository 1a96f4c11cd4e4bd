import { parseArgs } from 'node:util'
import { createNarrator } from './narrator.ts'
import { keepPage } from './keep-page.ts'
import { createProject, incidentFiles, type Project, supportFiles, type WriteFiles } from './project.ts'
import { openInBrowser } from '../../src/cli/view/open-in-browser.ts'
import { tellSearchStory } from './search-story.ts'
import { tellStory } from './story.ts'

// npm run demo -- [--keep] [--incident refund-twice|search-loop]
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false }, incident: { type: 'string' } } })
const { incident } = values
if (incident !== undefined && !['refund-twice', 'search-loop'].includes(incident)) throw new Error(`There is no incident ${incident}.`)
const isColored = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const narrator = createNarrator((line) => process.stdout.write(`${line}\n`), isColored)

const started = performance.now()
const shown = { isColored, onOutput: (line: string) => narrator.output(line) }
const projects: Project[] = []
const setUp = async (writeFiles: WriteFiles): Promise<Project> => {
  const project = await createProject(writeFiles, shown)
  projects.push(project)
  return project
}
try {
  const support = incident === 'search-loop' ? undefined : await setUp(supportFiles)
  if (support !== undefined) await tellStory(support, narrator)
  if (incident !== 'refund-twice') await tellSearchStory(await setUp(incidentFiles), narrator)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const page = support && (await keepPage(support))
  const kept = page === undefined ? '' : ` The double refund as a page: ${page}`
  narrator.ending(`Every act came out as told, in ${seconds} seconds.${kept}`)
  if (page !== undefined && process.stdout.isTTY) await openInBrowser(page)
} catch (error) {
  narrator.failure(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  for (const project of projects) {
    if (values.keep) narrator.ending(`A project is kept: ${project.folder}`)
    else await project.remove()
  }
}
