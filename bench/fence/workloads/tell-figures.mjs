import { appendFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { threadCpuUsage } from 'node:process'
import { getHeapStatistics } from 'node:v8'

// A setup file: what its worker has taken from its start to the start of each test file.
const { used_heap_size, external_memory } = getHeapStatistics()
const thread = threadCpuUsage()
const all = process.cpuUsage()
const told = {
  bytes: used_heap_size + external_memory,
  agentsCpu: thread.user + thread.system,
  processCpu: all.user + all.system,
  wall: performance.now() * 1000,
}
appendFileSync(process.env['TOLD_FIGURES'], `${JSON.stringify(told)}\n`)
