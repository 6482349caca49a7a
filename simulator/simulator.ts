import type { Control } from './control.ts'
import { accountControl } from './control/accounts.ts'
import { limitControl } from './control/limits.ts'
import { marketingControl } from './control/marketing.ts'
import { countControl, faultControl, webhookControl } from './control/network.ts'
import { paymentControl } from './control/payments.ts'
import { templateControl } from './control/templates.ts'
import { PHONES_PATH } from './http/phone.ts'
import { type Certificate, listen } from './http/server.ts'
import { createNetworkState, restoreNetworkState, type NetworkState } from './network-state.ts'
import { replyNowAndThen } from './network/inbound/replies.ts'
import { resumeReviews } from './network/review.ts'
import type { StatusPlan } from './network/status-plan.ts'

export type { StatusPlan } from './network/status-plan.ts'
export type { Control, Credentials } from './control.ts'

export interface SimulatorOptions {
	/** Port to listen at; 0, the default, selects a free one. */
	port?: number
	host?: string
	/** Certificate for HTTPS; the simulator listens over HTTP without one. */
	certificate?: Certificate | undefined
	/** Folder for accounts, templates, files and messages; the simulator keeps them in memory without one. */
	stateDir?: string
	statuses?: Partial<StatusPlan>
	reviewDelayMs?: number
}

export interface Simulator {
	url: string
	/** URL of the page that shows what recipients got. */
	phonesUrl: string
	control: Control
	close(): Promise<void>
}

/**
 * Starts a WhatsApp network: Meta's Graph API, its webhooks, and customers who receive, read and answer messages. Also
 * simulates Razorpay under the same address, with the page on which users pay.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const state = createNetworkState(options)
	await restoreNetworkState(state)
	resumeReviews(state)
	replyNowAndThen(state)
	const control = controlOf(state)
	const { port = 0, host = '127.0.0.1', certificate = null } = options
	const listener = await listen(state, control, { port, host, certificate })
	state.listener = listener
	const close = async (): Promise<void> => {
		const closed = listener.close()
		state.wheel.clear()
		state.answerWheel.clear()
		await state.outbox.close()
		await state.payments.webhooks.close()
		await closed
		state.journal.close()
	}
	return { url: listener.url, phonesUrl: `${listener.url}${PHONES_PATH}`, control, close }
}

function controlOf(state: NetworkState): Control {
	return {
		...accountControl(state),
		...marketingControl(state),
		...limitControl(state),
		...templateControl(state),
		...faultControl(state),
		...countControl(state),
		...webhookControl(state),
		...paymentControl(state),
	}
}
