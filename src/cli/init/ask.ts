import { findAgents, type FoundAgent, readAgent, referenceTo } from './find-agents.ts'
import type { Answers } from './file-changes.ts'
import { initError, type Project } from './project.ts'

/** The options of the command. Answers that they do not set are found or asked. */
export interface GivenAnswers {
  readonly runner?: Answers['runner']
  readonly agent?: string
  readonly ci?: Answers['ci']
  readonly input?: string
}

/** The agent that the project's config already names, if any. */
export type ConfiguredAgent = FoundAgent | undefined

/**
 * Determines the answers without asking.
 *
 * @throws GoldenrunError `GOLDENRUN_INIT`, with the option to pass, if an answer is not clear.
 */
export function answerByFinding(project: Project, given: GivenAnswers, configured: ConfiguredAgent): Answers {
  const { runner = project.runners[0] } = given
  if (runner === undefined || (given.runner === undefined && project.runners.length > 1)) {
    const found = runner === undefined ? 'neither Vitest nor Jest is among the dependencies' : 'both Vitest and Jest are there'
    throw initError(`Cannot tell which test runner to use: ${found}. Pass --runner vitest or --runner jest`)
  }
  const agents =
    given.agent !== undefined
      ? [readAgent(project.directory, given.agent)]
      : configured === undefined
        ? findAgents(project.directory)
        : [configured]
  const [agent, ...others] = agents
  if (agent === undefined) throw initError('Found no exported function named like an agent. Pass it: --agent ./src/agent.ts#supportAgent')
  if (others.length > 0)
    throw initError(`Found several agents: ${agents.map(referenceTo).join(', ')}. Pass one: --agent ${referenceTo(agent)}`)
  return { runner, agent, ci: given.ci ?? 'none', input: given.input }
}

/** Asks for answers that the options do not set. The first choice is the answer that was found. Returns undefined if the user cancels. */
export async function askAnswers(project: Project, given: GivenAnswers, configured: ConfiguredAgent): Promise<Answers | undefined> {
  const prompts = await import('@clack/prompts')
  const runner =
    given.runner ??
    (project.runners.length === 1
      ? project.runners[0]
      : await prompts.select({
          message: 'Which test runner?',
          options: [
            { value: 'vitest' as const, label: 'Vitest' },
            { value: 'jest' as const, label: 'Jest' },
          ],
        }))
  if (prompts.isCancel(runner) || runner === undefined) return undefined
  const agent = given.agent === undefined ? await askAgent(project, configured, prompts) : readAgent(project.directory, given.agent)
  if (agent === undefined) return undefined
  const input =
    given.input ??
    (await prompts.text({
      message: "What is the agent's input in the example test? JSON, or empty to write it there later:",
      placeholder: '{ "ticket": "Where is my order?" }',
      validate: (text) => (text === undefined || text.trim() === '' ? undefined : problemOf(() => JSON.parse(text) as unknown)),
    }))
  if (prompts.isCancel(input)) return undefined
  const ci =
    given.ci ??
    (await prompts.select({
      message: 'Replay the golden traces in CI?',
      options: [
        { value: 'github' as const, label: 'GitHub Actions' },
        { value: 'none' as const, label: 'Not now' },
      ],
    }))
  if (prompts.isCancel(ci)) return undefined
  return { runner, agent, ci, input: input.trim() === '' ? undefined : input }
}

async function askAgent(
  { directory }: Project,
  configured: ConfiguredAgent,
  { isCancel, select, text }: typeof import('@clack/prompts'),
): Promise<FoundAgent | undefined> {
  const found = configured === undefined ? findAgents(directory) : [configured]
  if (found.length > 0) {
    const options = [...found.map((agent) => ({ value: referenceTo(agent), label: referenceTo(agent) })), { value: '', label: 'Another' }]
    const chosen = await select({ message: 'Which function is the agent?', options })
    if (isCancel(chosen)) return undefined
    const agent = found.find((each) => referenceTo(each) === chosen)
    if (agent !== undefined) return agent
  }
  const reference = await text({
    message: 'Where is the agent? A file and its export:',
    placeholder: './src/agent.ts#supportAgent',
    validate: (given) => problemOf(() => readAgent(directory, given ?? '')),
  })
  return isCancel(reference) ? undefined : readAgent(directory, reference)
}

/** Asks whether to write the changes. */
export async function confirmChanges(): Promise<boolean> {
  const prompts = await import('@clack/prompts')
  return (await prompts.confirm({ message: 'Write this?' })) === true
}

function problemOf(body: () => unknown): string | undefined {
  try {
    body()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
