/** Replays all goldens of an agent, and writes down what their runs were made of if they hold. Its argument is the file of the request. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { acceptedFile } from '../replay/traces/accepted/accepted-file.ts'
import { formatRows } from '../replay/traces/accepted/accepted-rows.ts'
import { agentOfGolden } from '../goldens/accepted/agent-of-golden.ts'
import { describeProject } from '../goldens/accepted/describe-project.ts'
import type { Renewal, RenewalRequest } from '../goldens/accepted/renew-accepted.ts'
import { watchFiles } from '../goldens/accepted/watch-files.ts'
import { orMissing } from '../node/or-missing.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { replayTraces } from './replay-traces.ts'
import type { SelectedTrace } from './select-traces.ts'

const { directory, agent, output } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RenewalRequest
const files = watchFiles()
const goldens = createGoldenDirectory(directory)
const selected: SelectedTrace[] = []
for (const name of await goldens.list()) {
  const file = goldens.fileOf(name)
  const text = await readFile(file, 'utf8')
  if (agentOfGolden(text) === agent) selected.push({ name, origin: file, locate: async () => Promise.resolve({ file, text }) })
}
const results = await replayTraces(selected, { allowModelDrift: [], onTrace: () => undefined, tells: false })
const notRun = results.find(({ status }) => status === 'could not run')
const notHeld = results.find(({ status }) => status !== 'held')
const renewal: Renewal =
  notRun !== undefined
    ? { notRun: notRun.name, message: notRun.message ?? '' }
    : notHeld === undefined
      ? await write()
      : { notHeld: notHeld.name }
writeFileSync(output, JSON.stringify(renewal))
// An agent may keep something open.
process.exit(0)

async function write(): Promise<Renewal> {
  const rows = describeProject({ directory, agent, goldens: selected.map(({ name }) => goldens.fileOf(name)), files })
  const file = acceptedFile(directory, agent)
  const text = formatRows(agent, rows)
  const isChanged = (await orMissing(readFile(file, 'utf8'), undefined)) !== text
  if (isChanged) await writeFileAtomically(file, text, { force: true })
  return { file, isChanged }
}
