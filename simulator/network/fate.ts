import type { Fault } from './faults.ts'
import { NO_TWEAKS, type Fate, type Tweaks } from './message-life.ts'
import type { StatusPlan } from './status-plan.ts'

const READ: Fate = { statuses: ['sent', 'delivered', 'read'], failure: null }
const DELIVERED: Fate = { statuses: ['sent', 'delivered'], failure: null }
const SILENT: Fate = { statuses: [], failure: null }

const UNDELIVERABLE = 'Message Undeliverable.'
const ECOSYSTEM = 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.'

/** Draws what becomes of a message. Some marketing messages meet the per-user cap, others fail after `sent`. */
export function drawFate(plan: StatusPlan, category: string): Fate {
	if (Math.random() < plan.failRate) {
		const capped = category === 'marketing' && Math.random() < 0.4
		return capped ? failedAtOnce(131049, ECOSYSTEM) : failedAfterSent(131026, UNDELIVERABLE)
	}
	return Math.random() < plan.readRate ? READ : DELIVERED
}

export function failedAtOnce(code: number, details: string): Fate {
	return { statuses: ['failed'], failure: { code, details } }
}

function failedAfterSent(code: number, details: string): Fate {
	return { statuses: ['sent', 'failed'], failure: { code, details } }
}

/** Bends a fate, and the way it is told, by the faults that struck the message. */
export function bend(fate: Fate, faults: readonly Fault[]): { fate: Fate; tweaks: Tweaks; held: boolean } {
	if (faults.length === 0) return { fate, tweaks: NO_TWEAKS, held: false }
	const tweaks: Tweaks = { ...NO_TWEAKS }
	let bent = fate
	let held = false
	for (const fault of faults) {
		if (fault.kind === 'fail-later') bent = failedAtOnce(fault.code, fault.details ?? '')
		if (fault.kind === 'silent') bent = SILENT
		if (fault.kind === 'read-without-delivered') bent = { statuses: ['sent', 'read'], failure: null }
		if (fault.kind === 'webhook-reorder') bent = { ...bent, statuses: bent.statuses.toReversed() }
		if (fault.kind === 'webhook-duplicate') tweaks.duplicate = true
		if (fault.kind === 'webhook-split') tweaks.alone = true
		if (fault.kind === 'webhook-without-callback-data') tweaks.withoutCallback = true
		if (fault.kind === 'webhook-late') tweaks.lateMs += fault.ms
		if (fault.kind !== 'held') continue
		held = true
		tweaks.lateMs += fault.ms
		if (fault.dropped) bent = failedAtOnce(132015, 'Template is paused due to low quality.')
	}
	return { fate: bent, tweaks, held }
}
