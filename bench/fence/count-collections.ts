/**
 * Node's arguments for a process whose allocated bytes are counted. V8 tells the bytes in use. They are the bytes allocated as long as nothing is
 * collected, so the young generation has room for all that a workload allocates. Without incremental marking, V8 does not begin to collect the
 * old generation by itself either, except after 64 MB of external memory. The arguments hold for every thread of the process, and V8 prints a
 * line for each collection in any of them.
 */
export const COUNTING: readonly string[] = [
  '--min-semi-space-size=1024',
  '--max-semi-space-size=1024',
  '--no-incremental-marking',
  '--trace-gc',
]

/** Counts the collections that V8 reports in what a process printed. */
export function countCollections(output: string): number {
  return output.split('\n').filter((line) => /^\[\d+:0x[\da-f]+\] +\d+ ms: /.test(line)).length
}
