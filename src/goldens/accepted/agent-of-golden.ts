/** Returns the agent that a golden's first line names; undefined if it cannot be read. */
export function agentOfGolden(text: string): string | undefined {
  try {
    const { agent } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { readonly agent?: unknown }
    return typeof agent === 'string' ? agent : undefined
  } catch {
    return undefined
  }
}
