import type { OpenerDeps } from '../lifecycle/open.ts'
import { startSweeps } from '../settlement/sweeps.ts'
import { startDispatcher, type DispatcherDeps } from './dispatcher.ts'

export interface SendingDeps extends DispatcherDeps, OpenerDeps {
	/** Seconds until an unconfirmed message is failed and its money given back. */
	unknownAfter: number
}

/** Starts all that sends campaigns in this process: opening them at their time, driving senders, clearing up. */
export async function startSending(deps: SendingDeps): Promise<{ stop(): Promise<void> }> {
	const dispatcher = await startDispatcher(deps)
	const sweeps = startSweeps(deps)
	return {
		async stop() {
			await Promise.all([dispatcher.stop(), sweeps.stop()])
		},
	}
}
