import type { Agent, Scene } from '../scenes/subject.ts'
import type { WorldServer } from '../world/world-server.ts'

/** A peer's way to test the support agent, over one recorded run. */
export interface Peer {
  readonly name: string
  /** Records the agent's run. @param folder An empty folder for its files. */
  record(server: WorldServer, scene: Scene, original: Agent, folder: string): Promise<PeerTest>
}

/** A recorded test. */
export interface PeerTest {
  /** Returns whether the test fails with that agent. */
  isRed(agent: Agent): Promise<boolean>
  close(): Promise<void>
}
