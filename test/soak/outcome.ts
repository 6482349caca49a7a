import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { Db } from '#lib/server/db.ts'
import type { NetworkFaults } from './network-faults.ts'
import type { SoakOptions } from './options.ts'

/** A finding of the reconciliation, as text. */
type Drift = string

export interface Outcome {
	messages: number
	/** Number of messages that the network accepted. */
	accepted: number
	/** Recipients that got more than one message. */
	duplicates: string[]
	/** Numbers of messages whose state in the database contradicts the network. */
	lost: { stuck: number; acceptedButFailed: number; neverAccepted: number; statusUpdatesLost: number }
	/** Numbers of messages that failed as unconfirmed, by their acceptance by the network. */
	givenUp: { received: number; notReceived: number }
	/** Number of messages that the network refused and no recipient received. */
	refused: number
	drift: Drift[]
	unfinished: string[]
}

interface MessageRow {
	number: string
	status: 'pending' | 'sent' | 'delivered' | 'read' | 'failed'
	errorCode: number | null
}

/** Compares every message in the database with the recipients' messages. Call it when nothing is being sent. */
export async function readOutcome(db: Db, received: Record<string, number>): Promise<Outcome> {
	const rows = await db<MessageRow[]>`
		select number, status, error_code as "errorCode" from campaign_messages
	`
	const unfinished = await db<{ account: number; status: string; reason: string | null }[]>`
		select account_id as account, status, status_reason as reason from campaigns
		where finished_at is null or status <> 'completed'
	`
	const times = (row: MessageRow) => received[row.number] ?? 0
	const count = (holds: (row: MessageRow) => boolean) => rows.filter(holds).length
	const isGivenUp = (row: MessageRow) => row.status === 'failed' && row.errorCode === OWN_ERRORS.unconfirmed.code
	const isFailed = (row: MessageRow) => row.status === 'failed' && !isGivenUp(row)
	const isSent = (row: MessageRow) => row.status === 'sent' || row.status === 'delivered' || row.status === 'read'
	return {
		messages: rows.length,
		accepted: Object.values(received).reduce((sum, accepted) => sum + accepted, 0),
		duplicates: Object.keys(received).filter((number) => (received[number] ?? 0) > 1),
		lost: {
			stuck: count((row) => row.status === 'pending'),
			acceptedButFailed: count((row) => isFailed(row) && times(row) > 0),
			neverAccepted: count((row) => isSent(row) && times(row) === 0),
			statusUpdatesLost: count((row) => row.status === 'sent' && times(row) > 0),
		},
		givenUp: {
			received: count((row) => isGivenUp(row) && times(row) > 0),
			notReceived: count((row) => isGivenUp(row) && times(row) === 0),
		},
		refused: count((row) => isFailed(row) && times(row) === 0),
		drift: await findDrift(db),
		unfinished: unfinished.map(({ account, status, reason }) => `account ${account}: ${status} ${reason ?? ''}`.trim()),
	}
}

async function findDrift(db: Db): Promise<Drift[]> {
	// Imported late, because nothing else of the soak needs the product in this process.
	const { reconcileMoney } = await import('#app/server/housekeeping/reconciliation.ts')
	return (await reconcileMoney(db)).map(({ accountId, rule, detail }) => `account ${accountId}: ${rule}: ${detail}`)
}

/** Returns the faults of an outcome as text; empty if the run has passed. */
export function findFailures(
	outcome: Outcome,
	network: NetworkFaults,
	{ maxGivenUp, connectionFaults: { minTimes } }: SoakOptions,
): string[] {
	const { messages, duplicates, lost, givenUp, drift, unfinished } = outcome
	const allGivenUp = givenUp.received + givenUp.notReceived
	const rare = Object.entries(network.counts).filter(([, times]) => times < minTimes)
	const failures = [
		duplicates.length > 0 && `${duplicates.length} recipients got the message more than once`,
		lost.stuck > 0 && `${lost.stuck} messages are still pending`,
		lost.acceptedButFailed > 0 && `${lost.acceptedButFailed} accepted messages stand as failed`,
		lost.neverAccepted > 0 && `${lost.neverAccepted} messages stand as sent that nobody received`,
		lost.statusUpdatesLost > 0 &&
			`${lost.statusUpdatesLost} messages still stand as sent after all status updates were settled`,
		givenUp.received > 0 && `${givenUp.received} messages were given up although the network reported on them`,
		allGivenUp > network.mayBeLost + messages * maxGivenUp &&
			`${allGivenUp} of ${messages} messages were given up, more than the network lost and ${maxGivenUp * 100} %`,
		network.http2Calls > 0 && `${network.http2Calls} calls came over HTTP/2`,
		...rare.map(([name, times]) => `too rare to prove anything: ${name}, ${times} times`),
		...drift.map((finding) => `drift: ${finding}`),
		...unfinished,
	]
	return failures.filter((failure) => typeof failure === 'string')
}
