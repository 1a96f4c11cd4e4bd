import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { installPeers, PEER_PACKAGES, versionOf } from '../replay/peers/install.ts'
import type { Absences } from '../figures.ts'
import { aimock } from './peers/aimock.ts'
import type { PeerTest } from './peers/peer-test.ts'
import { vitestEvals } from './peers/vitest-evals.ts'
import { loadAgent, sourceOf } from './scenes/subject.ts'
import { support } from './scenes/support.ts'
import type { AskOthers } from './try-mutants.ts'
import type { WorldServer } from './world/world-server.ts'

const PEERS = [
  { ...aimock, packageName: PEER_PACKAGES.aimock },
  { ...vitestEvals, packageName: PEER_PACKAGES.vitestEvals },
]

/** The number of runs of the support agent that the peers record. */
const RUNS = 6

/** The peers' tests over runs of the support agent. */
export interface Others extends AsyncDisposable {
  readonly ask: AskOthers
  /** The name, and the package with its version, of each installed peer. */
  readonly names: readonly (readonly [name: string, packageName: string])[]
  readonly absences: Absences
}

/** Records each run with each peer. A run whose test fails even though nothing has changed is left out, because it would prove nothing. */
export async function recordOthers(server: WorldServer, quick: boolean, folder: string, note: (line: string) => void): Promise<Others> {
  const failure = quick ? 'a quick look asks no others' : installPeers(note)
  const scenes = support.scenes.slice(0, RUNS)
  const original = await loadAgent(sourceOf(support))
  const tests = new Map<string, Map<string, PeerTest>>()
  for (const { name, record } of failure === undefined ? PEERS : []) {
    note(`Recording ${scenes.length} runs with ${name}.`)
    const recorded = new Map<string, PeerTest>()
    tests.set(name, recorded)
    for (const scene of scenes) {
      const test = await record(server, scene, original, await mkdtemp(path.join(folder, `${name}-`)))
      if (await test.isRed(original)) await test.close()
      else recorded.set(scene.name, test)
    }
    note(`${name} is green on ${recorded.size} of ${scenes.length} unchanged runs.`)
  }
  return {
    names: [...tests.keys()].map((name) => [name, describe(name)] as const),
    absences: failure === undefined ? {} : Object.fromEntries(PEERS.map(({ name }) => [`${name}_harmful_detected`, failure])),
    async ask(scene, agent) {
      const answers: Record<string, boolean> = {}
      for (const [name, recorded] of tests) {
        const test = recorded.get(scene.name)
        if (test !== undefined) answers[name] = await test.isRed(agent)
      }
      return answers
    },
    async [Symbol.asyncDispose]() {
      for (const test of [...tests.values()].flatMap((recorded) => [...recorded.values()])) await test.close()
    },
  }
}

function describe(name: string): string {
  const packageName = PEERS.find((peer) => peer.name === name)?.packageName ?? name
  return `${packageName} ${versionOf(packageName)}`
}
