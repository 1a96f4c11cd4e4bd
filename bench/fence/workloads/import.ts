import { loadEntry } from '../built-package.ts'
import type { Workload } from './workload.ts'

/** `import 'goldenrun'`, the first time in a process. */
export const workload: Workload = async ({ folder }) => ({ units: 1, run: async () => void (await loadEntry(folder, 'index')) })
