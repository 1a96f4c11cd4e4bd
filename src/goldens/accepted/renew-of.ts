import { readFileSync } from 'node:fs'
import { displayPath } from '../../node/display-path.ts'
import { findGoldenDirectory } from '../../stores/golden-directory.ts'
import { agentOfGolden } from './agent-of-golden.ts'
import { renewAccepted } from './renew-accepted.ts'

/**
 * Writes down what the accepted runs of the agents of goldens were made of, if all their goldens hold.
 *
 * @param files The files of goldens, as absolute paths.
 * @param tellsWhatCannotRun Tests may replay goldens whose agent the config does not name. Default: true.
 * @returns What to tell, one line each: nothing where nothing has changed.
 */
export async function renewOf(files: readonly string[], tellsWhatCannotRun = true): Promise<string[]> {
  const agents = new Map<string, { readonly directory: string; readonly agent: string }>()
  for (const file of files) {
    const agent = agentOfGolden(readFileSync(file, 'utf8'))
    const directory = findGoldenDirectory(file)
    if (agent !== undefined) agents.set(JSON.stringify([directory, agent]), { directory, agent })
  }
  const lines: string[] = []
  for (const each of agents.values()) {
    const renewal = await renewAccepted(each)
    if (renewal === undefined) continue
    const notWritten = `What the agent "${each.agent}" is made of was not written down, because`
    if ('notHeld' in renewal) lines.push(`${notWritten} ${renewal.notHeld} does not hold.`)
    else if ('notRun' in renewal) {
      if (tellsWhatCannotRun) lines.push(`${notWritten} ${renewal.notRun} could not be replayed: ${renewal.message}`)
    } else if (renewal.isChanged) lines.push(`Wrote ${displayPath(renewal.file)}, so that a red report can say what has changed.`)
  }
  return lines
}
