import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

/** Writes down when each test file was through, and what its tests have noted. */
export default class TellTimes {
  #started = performance.now()
  #files = []

  onTestRunStart() {
    this.#started = performance.now()
  }

  onTestModuleEnd(module) {
    const notes = [...module.children.allTests()].map((test) => test.meta())
    this.#files.push({
      at: performance.now() - this.#started,
      state: module.state(),
      agentMs: notes.find(({ agentMs }) => agentMs)?.agentMs,
    })
  }

  onTestRunEnd() {
    const told = { files: this.#files, took: performance.now() - this.#started }
    writeFileSync(process.env['TOLD_TIMES'], JSON.stringify(told))
  }
}
