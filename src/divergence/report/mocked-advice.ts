import type { Boundary } from '../../trace/boundary.ts'
import type { Divergence } from '../divergence.ts'
import type { OverriddenFunction } from '../overridden-function.ts'
import type { MockedModule } from './mocked-module.ts'
import type { Advice } from './report.ts'
import type { ReportedRun } from './reported-run.ts'

/**
 * What the test itself may keep from the replay: calls, values that the agent draws, modules of the agent. Empty if there is nothing: a tracer's `fetch`
 * passes calls on.
 */
export function mockedAdvice(run: ReportedRun, { cause, boundary }: Divergence): Advice[] {
  const { overridden = [], mocked = [] } = run
  const ownModules = mocked.filter(({ module }) => module.startsWith('.')).map(tellOwnModule)
  switch (cause) {
    case 'input':
    case 'outcome':
    case 'checkpoint':
      return [
        ...ownModules,
        ...overriddenAdvice(
          overridden.filter(({ isRead }) => isRead),
          'the agent does not get the recorded values from',
        ),
      ]
    case 'missing-call': {
      if (!isRequest(boundary) || run.steps.some((step) => isRequest(step.boundary))) return ownModules
      const ofPackages = mocked.filter(({ module }) => !module.startsWith('.')).map(tellPackage)
      return [
        ...ofPackages,
        ...ownModules,
        ...overriddenAdvice(
          overridden.filter(({ isRead }) => !isRead),
          'no call reaches the replay through',
        ),
      ]
    }
    case 'unexpected-call':
      return ownModules
    case 'model-drift':
    case 'nondeterminism':
    case 'order':
    case 'time-limit':
    case 'unrecorded-contact':
      return []
  }
}

function tellPackage({ module, at }: MockedModule): Advice {
  return {
    id: 'remove-mock',
    words: `${at} mocks "${module}", so its calls do not reach the replay. Remove the mock: the recorded answers take its place.`,
  }
}

function tellOwnModule({ module, at }: MockedModule): Advice {
  return { id: 'mocked-own-module', words: `${at} mocks "${module}", so the agent does not run the code that was recorded.` }
}

function isRequest(boundary: Boundary | undefined): boolean {
  return boundary === 'model' || boundary === 'http'
}

function overriddenAdvice(functions: readonly OverriddenFunction[], effect: string): Advice[] {
  if (functions.length === 0) return []
  const names = functions.map(({ name }) => name)
  const them = names.length === 1 ? 'it' : 'them'
  return [
    {
      id: 'restore-functions',
      words: `The test, its setup file or a package has replaced ${names.join(', ')} since goldenrun was loaded: ${effect} ${them}. To restore ${them} before the replay: vi.unstubAllGlobals(), vi.restoreAllMocks(), jest.restoreAllMocks()`,
    },
  ]
}
