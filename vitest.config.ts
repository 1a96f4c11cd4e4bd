import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from './vitest.shared.config.ts'

/** What starts many processes, waits for seconds, or repeats a thing many times: `npm run test:slow`. */
const slow = 'test/**/*.slow.test.ts'

/** Test files that need a process of their own. All others share one process a core, so each leaves it as it found it: `test/support/leave-as-found.ts`. */
const alone = [
  // They open and shut doors themselves, or look at all that is patched.
  'test/{boundaries,guard,isolation}/**/*.test.ts',
  'test/conformance/dispatcher-classes.test.ts',
  // They import `goldenrun/vitest`, which opens the doors, and says where goldens are, for as long as the process lives.
  'test/{matchers,vitest}/**/*.test.ts',
  'test/golden-traces.test.ts',
  'test/replay/{lost-contexts,rerun}.test.ts',
  // Its runs never end, and neither do their recorders.
  'test/replay/in-flight.test.ts',
  // It has another package in the place of `msw`.
  'test/replay/msw-2.test.ts',
  // They hold up or end the thread that writes recordings, which all recorders of a process share.
  'test/record/{lost-thread,slow-disk,thread}.test.ts',
  // It loads native code, which runs of other files would note.
  'test/travel/sandbox-files.test.ts',
  // They wait until objects are collected, or measure memory.
  'test/edges/handed-out.test.ts',
]

/** Vitest's own default leaves a core idle, which is half of two. */
const maxWorkers = '100%'

const config: ViteUserConfig = mergeConfig(shared, {
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [slow, ...alone],
          isolate: false,
          maxWorkers,
          setupFiles: ['test/support/leave-as-found.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: [slow], maxWorkers } },
      { extends: true, test: { name: 'slow', include: [slow], testTimeout: 120_000, hookTimeout: 120_000, sequence: { groupOrder: 1 } } },
    ],
  },
} satisfies ViteUserConfig)

export default config
