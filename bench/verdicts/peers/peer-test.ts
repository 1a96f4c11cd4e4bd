import type { Desk, DeskScene } from '../desk-subject.ts'

/** What others offer: a test of the desk over one recorded run. */
export interface Peer {
  readonly name: string
  /** Records the desk's run. @param folder An empty folder for what it keeps. */
  record(scene: DeskScene, original: Desk, folder: string): Promise<PeerTest>
}

/** A recorded test. */
export interface PeerTest {
  /** Whether the test fails with that desk. */
  isRed(desk: Desk): Promise<boolean>
  close(): Promise<void>
}
