import { vi } from 'vitest'
import { builtCommandsCases, testBuiltCommands } from '../support/built-commands.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

testBuiltCommands([...builtCommandsCases.slice(0, 5), ...builtCommandsCases.slice(7)])
