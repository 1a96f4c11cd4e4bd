import type { Agent, Scene } from '../scenes/subject.ts'
import type { WorldServer } from '../world/world-server.ts'

/** What others offer: a test of the support agent over one recorded run. */
export interface Peer {
  readonly name: string
  /** Records the agent's run. @param folder An empty folder for what it keeps. */
  record(server: WorldServer, scene: Scene, original: Agent, folder: string): Promise<PeerTest>
}

/** A recorded test. */
export interface PeerTest {
  /** Whether the test fails with that agent. */
  isRed(agent: Agent): Promise<boolean>
  close(): Promise<void>
}
