/** What every agent here is asked. */
export interface Ask {
  readonly question: string
  /** Where the model is. */
  readonly model: string
  /** Where the MCP server is, for the agents that ask one. */
  readonly server?: string
}

/** What an agent is given beside its input. */
export interface Habits {
  /** How the agent spells an order's id before its tool is called. Default: as the model does. */
  readonly spell?: (id: string) => string
}

/** An agent of a framework. */
export type FrameworkAgent = (ask: Ask, habits?: Habits) => Promise<unknown>

/** Orders that the bodies of tools looked up in this process. */
export const lookedUp: string[] = []

/** The world of all tools here. */
export function lookUp(id: string): { id: string; status: string } {
  lookedUp.push(id)
  return { id, status: id === 'ord_1' ? 'packed' : 'shipped' }
}

/** Spells an id as the model did. */
export const asAsked = (id: string): string => id
