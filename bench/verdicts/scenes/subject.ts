import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '../agents/context.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Script } from '../world/script.ts'

/** Any of the agents: its input type depends on its scenes. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Agent = (input: any, context: Context) => Promise<unknown>

/** One task of an agent, and the world that it runs in. */
export interface Scene {
  readonly name: string
  readonly input: unknown
  /** Creates the script of a world, the same each time. */
  createScript(): Script
}

/** An agent to mutate, its tasks, and its mutations. */
export interface Subject {
  readonly name: string
  readonly scenes: readonly Scene[]
  readonly mutations: readonly Mutation[]
}

/** Returns the folder of a subject's files. */
export function sourceOf({ name }: Subject): string {
  return path.join(import.meta.dirname, '../agents', name)
}

/** Loads the agent whose files are in a folder. If its modules remember runs, it forgets an earlier run with an input before it runs with it. */
export async function loadAgent(folder: string): Promise<Agent> {
  const { agent, forget }: AgentModule = await import(pathToFileURL(path.join(folder, 'agent.ts')).href)
  if (forget === undefined) return agent
  return (input, context) => {
    forget(input)
    return agent(input, context)
  }
}

interface AgentModule {
  readonly agent: Agent
  /** Makes the agent's modules as they are in a new process, for one input. */
  forget?(input: unknown): void
}
