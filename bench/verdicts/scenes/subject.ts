import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '../agents/context.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Script } from '../world/script.ts'

/** An agent as any of them: what it takes is its scenes' business. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Agent = (input: any, context: Context) => Promise<unknown>

/** One thing that an agent is asked to do, and the world that it does it in. */
export interface Scene {
  readonly name: string
  readonly input: unknown
  /** A world like the last one. */
  createScript(): Script
}

/** An agent that is changed, what it is asked to do, and how it is changed. */
export interface Subject {
  readonly name: string
  readonly scenes: readonly Scene[]
  readonly mutations: readonly Mutation[]
}

/** The folder of a subject's files. */
export function sourceOf({ name }: Subject): string {
  return path.join(import.meta.dirname, '../agents', name)
}

/** The agent whose files are in a folder. */
export async function loadAgent(folder: string): Promise<Agent> {
  const { agent }: { agent: Agent } = await import(pathToFileURL(path.join(folder, 'agent.ts')).href)
  return agent
}
