/**
 * How a fork answers a call. `recorded`: with the trace's answer to an equal call. `sandbox`: by a handler. `run`: the tool's function runs,
 * or the request is made. `live`: the call is made, as in production. `refuse`: the call stops the run.
 */
export type Route = 'recorded' | 'sandbox' | 'run' | 'live' | 'refuse'
