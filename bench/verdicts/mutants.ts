import { removeMutant, writeMutant } from './mutations/apply.ts'
import type { Mutation } from './mutations/mutation.ts'
import { type Agent, loadAgent, sourceOf, type Subject } from './scenes/subject.ts'

/** A changed agent. */
export interface Mutant {
  readonly mutation: Mutation
  readonly agent: Agent
}

/** Writes an agent's mutants and loads them. Their files are not needed afterwards. */
export async function loadMutants(subject: Subject, mutations: readonly Mutation[]): Promise<Mutant[]> {
  const mutants: Mutant[] = []
  for (const mutation of mutations) {
    const folder = writeMutant(sourceOf(subject), mutation)
    try {
      mutants.push({ mutation, agent: await loadAgent(folder) })
    } finally {
      removeMutant(folder)
    }
  }
  return mutants
}
