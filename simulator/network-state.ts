import { Load } from './http/load.ts'
import type { Listener } from './http/server.ts'
import { Charges } from './network/charges/charges.ts'
import { EntryPoints } from './network/charges/entry-points.ts'
import { Windows } from './network/charges/windows.ts'
import { Counters } from './network/counters.ts'
import { Faults } from './network/faults.ts'
import { Latencies } from './network/latencies.ts'
import { Limits } from './network/limits.ts'
import { PortfolioDays } from './network/portfolio-days.ts'
import { DEMO_PLAN, type StatusPlan, StatusPlans } from './network/status-plan.ts'
import { TimeWheel } from './network/time-wheel.ts'
import { Traffic } from './network/traffic.ts'
import { Outbox } from './network/webhooks/outbox.ts'
import { PaymentStore } from './razorpay/payment-store.ts'
import { PaymentWebhooks } from './razorpay/payment-webhooks.ts'
import { Directory } from './state/directory.ts'
import { Journal, type JournalRecord } from './state/journal.ts'
import { MediaStore } from './state/media-store.ts'
import { TemplateStore } from './state/template-store.ts'
import { UploadSessions } from './state/upload-sessions.ts'

/** Resolution of latencies. */
const ANSWER_TICK_MS = 1

export interface NetworkStateOptions {
	stateDir?: string
	statuses?: Partial<StatusPlan>
	reviewDelayMs?: number
}

/** State of the simulated network. */
export interface NetworkState {
	directory: Directory
	templates: TemplateStore
	media: MediaStore
	uploads: UploadSessions
	counters: Counters
	charges: Charges
	entryPoints: EntryPoints
	faults: Faults
	limits: Limits
	portfolioDays: PortfolioDays
	latencies: Latencies
	/**
	 * Responses delayed by latency. Separate from `wheel`, so that an empty `wheel` means that every webhook has been queued.
	 */
	answerWheel: TimeWheel
	load: Load
	/** Null until the server listens. */
	listener: Listener | null
	windows: Windows
	plans: StatusPlans
	wheel: TimeWheel
	outbox: Outbox
	traffic: Traffic
	/** The payment provider, Razorpay. */
	payments: { store: PaymentStore; webhooks: PaymentWebhooks }
	journal: Journal
	reviewDelayMs: number
}

export function createNetworkState(options: NetworkStateOptions): NetworkState {
	const journal = new Journal(options.stateDir ?? null)
	const directory = new Directory(journal)
	const wheel = new TimeWheel()
	const outbox = new Outbox(directory)
	const counters = new Counters()
	const entryPoints = new EntryPoints(journal)
	const charges = new Charges(entryPoints)
	const windows = new Windows(journal)
	const plans = new StatusPlans({ ...DEMO_PLAN, ...options.statuses })
	const faults = new Faults()
	const store = new PaymentStore(journal)
	const payments = { store, webhooks: new PaymentWebhooks(store, faults, wheel) }
	return {
		directory,
		journal,
		wheel,
		outbox,
		counters,
		charges,
		entryPoints,
		windows,
		plans,
		templates: new TemplateStore(journal),
		media: new MediaStore(journal),
		uploads: new UploadSessions(),
		faults,
		payments,
		limits: new Limits(),
		portfolioDays: new PortfolioDays(),
		latencies: new Latencies(),
		answerWheel: new TimeWheel(ANSWER_TICK_MS),
		load: new Load(),
		listener: null,
		traffic: new Traffic({ directory, journal, wheel, outbox, counters, charges, plans }),
		reviewDelayMs: options.reviewDelayMs ?? 3_000,
	}
}

/** Replays the journal, then rewrites it without finished messages. */
export async function restoreNetworkState(state: NetworkState): Promise<void> {
	const { directory, templates, media, windows, entryPoints, counters, charges, traffic, journal, payments } = state
	const stores = [directory, templates, media, windows, entryPoints, counters, charges, traffic, payments.store]
	for await (const record of journal.read()) {
		for (const store of stores) store.restore(record)
	}
	journal.rewrite(snapshots(stores))
	traffic.resume()
}

export function clearNetworkState(state: NetworkState): void {
	const { directory, templates, media, windows, counters, traffic, wheel, outbox, faults, limits, uploads } = state
	state.latencies.clear()
	state.portfolioDays.clear()
	for (const part of [
		wheel,
		outbox,
		traffic,
		faults,
		limits,
		uploads,
		windows,
		state.entryPoints,
		counters,
		state.charges,
		templates,
		media,
		directory,
		state.payments.store,
		state.payments.webhooks,
	]) {
		part.clear()
	}
	state.journal.rewrite([])
}

function* snapshots(stores: { snapshot(): Iterable<JournalRecord> }[]): Generator<JournalRecord> {
	for (const store of stores) yield* store.snapshot()
}
