import { setTimeout as sleep } from 'node:timers/promises'
import type { Control } from '../control.ts'
import { clearNetworkState, type NetworkState } from '../network-state.ts'
import { FAULT_KINDS } from '../network/faults.ts'
import { receiveFromAd, receiveFromCustomer } from '../network/inbound/inbound.ts'
import { changePerson, sendEcho } from '../network/inbound/people.ts'
import { change } from '../network/webhooks/change.ts'
import { digitsOf } from '../state/digits.ts'
import { accountWith, phoneWith } from './lookup.ts'

type CountControl = Pick<Control, 'counters' | 'received' | 'receivedCounts' | 'acceptedWith' | 'loadStats'>
type WebhookControl = Pick<
	Control,
	| 'sendInbound'
	| 'openEntryPoint'
	| 'sendEcho'
	| 'changePerson'
	| 'shareNumber'
	| 'sendWebhook'
	| 'setWebhookInterval'
	| 'holdWebhooks'
	| 'releaseWebhooks'
	| 'webhookStats'
	| 'waitIdle'
	| 'reset'
>
type FaultControl = Pick<
	Control,
	'setStatusPlan' | 'setLatency' | 'refuseConnections' | 'addFault' | 'clearFaults' | 'appliedFaults'
>

const IDLE_POLL_INTERVAL_MS = 5
const MAX_WAIT_MS = 60_000
const ENTRY_POINT_MS = 7 * 24 * 60 * 60 * 1_000

export function countControl({ counters, load }: NetworkState): CountControl {
	return {
		async counters() {
			return counters.totals()
		},
		async received(number) {
			// A user id of a customer who hides the number stays as it is.
			const key = number.includes('.') ? number : digitsOf(number)
			return { number: key, accepted: counters.receivedBy(key), messages: counters.recentOf(key) }
		},
		async receivedCounts() {
			return counters.counts()
		},
		async acceptedWith(callbackData) {
			return counters.acceptedWith(callbackData)
		},
		async loadStats({ resetMaxima = false } = {}) {
			const { stats } = load
			if (resetMaxima) load.resetMaxima()
			return stats
		},
	}
}

export function faultControl(state: NetworkState): FaultControl {
	const { faults, plans, latencies } = state
	return {
		async setStatusPlan({ phone_number_id, ...plan }) {
			return plans.set(phone_number_id ?? null, plan)
		},
		async setLatency({ phone_number_id, ...latency }) {
			latencies.set(phone_number_id ?? null, latency)
		},
		async refuseConnections({ forMs }) {
			// The response to this call is sent before the connections close.
			setImmediate(() => state.listener?.refuse(forMs))
		},
		async addFault(fault) {
			if (!FAULT_KINDS.includes(fault.kind)) throw new Error(`No fault of kind ${fault.kind}`)
			faults.add(fault)
		},
		async clearFaults() {
			faults.clear()
		},
		async appliedFaults() {
			return faults.applied
		},
	}
}

export function webhookControl(state: NetworkState): WebhookControl {
	const { outbox, wheel, traffic, payments } = state
	const outstanding = () => outbox.stats.outstanding + payments.webhooks.stats.outstanding
	return {
		async sendInbound(message) {
			return { id: receiveFromCustomer(state, phoneWith(state, message.phone_number_id), message) }
		},
		async openEntryPoint({ phone_number_id, from, forMs = ENTRY_POINT_MS }) {
			const id = receiveFromAd(state, phoneWith(state, phone_number_id), { phone_number_id, from, forMs })
			return { id }
		},
		async sendEcho(echo) {
			return { id: sendEcho(state, phoneWith(state, echo.phone_number_id), echo) }
		},
		async changePerson(changed) {
			return { id: changePerson(state, phoneWith(state, changed.phone_number_id), changed) }
		},
		async shareNumber({ number, ...of }) {
			const card = { origin: 'contact_request', phones: [{ phone: `+${digitsOf(number)}`, wa_id: digitsOf(number) }] }
			const message = { ...of, from: number, type: 'contacts', content: [card] }
			return { id: receiveFromCustomer(state, phoneWith(state, of.phone_number_id), message) }
		},
		async sendWebhook({ waba_id, field, value }) {
			traffic.announce(accountWith(state, waba_id), change(field, value), { timed: field !== 'messages' })
		},
		async setWebhookInterval({ ms }) {
			outbox.intervalMs = ms
		},
		async holdWebhooks({ waba_id } = {}) {
			outbox.hold(waba_id ?? null)
		},
		async releaseWebhooks({ waba_id } = {}) {
			return { released: outbox.release(waba_id ?? null) }
		},
		async webhookStats() {
			return outbox.stats
		},
		async waitIdle({ timeoutMs = MAX_WAIT_MS } = {}) {
			const until = performance.now() + timeoutMs
			while (wheel.size > 0 || outstanding() > 0) {
				if (performance.now() > until)
					throw new Error(`Not idle after ${timeoutMs} ms: ${JSON.stringify([outbox.stats, payments.webhooks.stats])}`)
				await sleep(IDLE_POLL_INTERVAL_MS)
			}
		},
		async reset() {
			clearNetworkState(state)
		},
	}
}
