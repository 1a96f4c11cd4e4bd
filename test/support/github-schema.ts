import { registerHooks } from 'node:module'

// What GitHub publishes imports JSON as bundlers read it.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return resolved.url.endsWith('.json') ? { ...resolved, importAttributes: { type: 'json' } } : resolved
  },
})

/** What GitHub's own parser finds wrong with a workflow. */
export async function errorsOfWorkflow(content: string): Promise<string[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
  const { context } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

/** The same of an action's description. */
export async function errorsOfAction(content: string): Promise<string[]> {
  const { NoOperationTraceWriter } = await import('@actions/workflow-parser')
  const { parseAction } = await import('@actions/workflow-parser/actions/action-parser')
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}
