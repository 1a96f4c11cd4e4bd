/** A module that a test replaces with `vi.mock` or `jest.mock`. */
export interface MockedModule {
  readonly module: string
  /** Where the test says so: `test/cancel.test.ts:5`. */
  readonly at: string
}
