import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, isCallFault } from '../network/faults.ts'
import { NoResponse } from './call.ts'
import { GraphError } from './errors.ts'

/** Runs a call with its faults: each applies before the call takes effect, or after it when the fault says `accepted`. */
export async function withFaults<T>(faults: readonly Fault[], run: () => T | Promise<T>): Promise<T> {
	for (const fault of faults) {
		if (!isAppliedAfter(fault)) await apply(fault)
	}
	const answer = await run()
	for (const fault of faults) {
		if (isAppliedAfter(fault)) await apply(fault)
	}
	return answer
}

function isAppliedAfter(fault: Fault): boolean {
	return isCallFault(fault) && fault.accepted === true
}

async function apply(fault: Fault): Promise<void> {
	if (fault.kind === 'delay') await sleep(fault.ms, undefined, { ref: false })
	if (fault.kind === 'hang' || fault.kind === 'drop') throw new NoResponse(fault.kind, 0)
	if (fault.kind === 'server-error') throw new NoResponse('server-error', fault.status ?? 502)
	if (fault.kind !== 'error') return
	const { code, status, details, subcode } = fault
	throw new GraphError(code, {
		...(status === undefined ? {} : { status }),
		...(details === undefined ? {} : { details }),
		...(subcode === undefined ? {} : { subcode }),
	})
}
