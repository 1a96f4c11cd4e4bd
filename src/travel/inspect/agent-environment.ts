import { currentScope } from '../../run/scope.ts'
import { isObject, isProxy, ownNames, ownValue } from './intrinsics.ts'

/** The environment of the process, taken before a replay puts a door in its place. */
const ofProcess = process.env

/**
 * The environment variables of the agent's process, present and past: the agent may load a file of them, or set and remove some. Reading runs none of
 * its code.
 */
export class AgentEnvironment {
  readonly #known = new Map<string, readonly [name: string, value: string]>()

  constructor() {
    this.read()
  }

  /** Returns every value that a variable had at the times of reading. */
  get variables(): readonly (readonly [name: string, value: string])[] {
    return [...this.#known.values()]
  }

  read(): void {
    for (const [name, value] of Object.entries(ofProcess)) this.#add(name, value)
    // During a replay, the run has its own environment.
    const run = currentScope()?.run
    if (run?.mode === 'replay') for (const [name, value] of run.environment) this.#add(name, value)
    const own = ownValue(process, 'env')
    if (!isObject(own) || own === ofProcess || isProxy(own)) return
    for (const name of ownNames(own)) if (typeof name === 'string') this.#add(name, ownValue(own, name))
  }

  #add(name: string, value: unknown): void {
    if (typeof value === 'string') this.#known.set(`${name}=${value}`, [name, value])
  }
}
