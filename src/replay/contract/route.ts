/**
 * How a call of a fork is answered. `recorded`: it gets the answer that the trace has for an equal call. `sandbox`: a handler answers it.
 * `run`: the tool's function runs, a request is made. `live`: the call is made, as in production. `refuse`: it stops the run.
 */
export type Route = 'recorded' | 'sandbox' | 'run' | 'live' | 'refuse'
