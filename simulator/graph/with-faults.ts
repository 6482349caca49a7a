import { setTimeout as sleep } from 'node:timers/promises'
import { type CallFault, type Fault, isCallFault, isConnectionFault } from '../network/faults.ts'
import { type Call, NoResponse } from './call.ts'
import { GraphError } from './errors.ts'

type Refusal = Extract<CallFault, { kind: 'error' }>

/** The parts of a call that faults need. `refusal` returns the error of an API other than Graph. */
type FaultedCall = Pick<Call, 'connectionFaults'> & {
	state: Pick<Call['state'], 'faults'>
	refusal?: (fault: Refusal) => Error
}

/** Runs a call with its faults. A fault applies before the call takes effect, or afterwards if it has `accepted`. */
export async function withFaults<T>(
	call: FaultedCall,
	faults: readonly Fault[],
	run: () => T | Promise<T>,
): Promise<T> {
	call.connectionFaults.push(...faults.filter(isConnectionFault))
	const calls = faults.filter(isCallFault)
	for (const fault of calls) {
		if (!fault.accepted) await apply(call, fault)
	}
	const answer = await run()
	for (const fault of calls) {
		if (fault.accepted) await apply(call, fault)
	}
	return answer
}

async function apply({ state, refusal = graphError }: FaultedCall, fault: CallFault): Promise<void> {
	state.faults.countApplied(fault)
	if (fault.kind === 'delay') await sleep(fault.ms, undefined, { ref: false })
	if (fault.kind === 'hang' || fault.kind === 'drop') throw new NoResponse(fault.kind, 0)
	if (fault.kind === 'server-error') throw new NoResponse('server-error', fault.status ?? 502)
	if (fault.kind === 'error') throw refusal(fault)
}

function graphError({ code, status, details, subcode }: Refusal): Error {
	return new GraphError(code, {
		...(status === undefined ? {} : { status }),
		...(details === undefined ? {} : { details }),
		...(subcode === undefined ? {} : { subcode }),
	})
}
