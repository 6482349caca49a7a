import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const audienceQueries = 'src/features/audiences/server/recipients/audience-queries.ts'
const restoreGenerations = 'src/features/delivery/server/message/restore-generations.ts'
const restoreGenerationsTest = 'src/features/delivery/server/message/restore-generations.test.ts'
const responseClassifierTest = 'src/features/delivery/server/message/response-classifier.test.ts'
const responseClassifier = 'src/features/delivery/server/message/response-classifier.ts'
const statusUpdateQueries = `${delivery}/settlement/status-update-queries.ts`
const statusUpdates = `${delivery}/settlement/status-updates.ts`
const sweepQueries = `${delivery}/sweeps/sweep-queries.ts`
const sweepsTest = `${delivery}/sweeps/sweeps.test.ts`
const sweeps = `${delivery}/sweeps/sweeps.ts`
const optOutQueries = 'src/features/contacts/server/opt-outs/opt-out-queries.ts'
const optOutsTest = 'src/features/contacts/server/opt-outs/opt-outs.test.ts'
const optOuts = 'src/features/contacts/server/opt-outs/opt-outs.ts'
const deliveryReader = 'src/features/whatsapp/server/webhooks/delivery-reader.ts'
const ingestTest = 'src/features/whatsapp/server/webhooks/ingest.test.ts'
const routing = 'src/features/whatsapp/server/webhooks/routing.ts'
const routingTest = 'src/features/whatsapp/server/webhooks/routing.test.ts'
const senderDirectory = 'src/features/whatsapp/server/webhooks/sender-directory.ts'
const webhookTest = 'src/features/whatsapp/server/webhooks/webhook.test.ts'
const secrets = 'src/lib/server/secrets.ts'
const moneyHistoriesTest = 'test/money-histories.test.ts'

/** Faults in status updates and other inbound webhooks, and in the sweeps for missing ones. */
export const STATUS_UPDATE_FAULTS: readonly PlantedFault[] = [
	// Status updates and webhooks.
	{
		name: 'status updates without callback data are applied last',
		file: statusUpdates,
		text: 'read.flatMap(({ statusUpdate, key }) =>\n\t\tkey ? toUpdate(statusUpdate, key) : (byWamid.get(statusUpdate) ?? []),\n\t)',
		replacement:
			'[...read.flatMap(({ statusUpdate, key }) => (key ? toUpdate(statusUpdate, key) : [])), ...byWamid.values()]',
		tests: [sweepsTest],
	},
	{
		name: 'an early status update is lost',
		file: statusUpdates,
		text: 'if (unmatched.length > 0) await',
		replacement: 'if (unmatched.length < 0) await',
		tests: [sweepsTest],
	},
	{
		name: 'the arrival of status updates is not recorded',
		file: statusUpdates,
		text: 'if (latestSentAt) await',
		replacement: 'if (!latestSentAt) await',
		tests: [sweepsTest],
	},
	{
		name: 'a voice message that was played is not read',
		file: 'src/features/delivery/server/message/status-update.ts',
		text: "played: 'read'",
		replacement: "played: 'delivered'",
		tests: ['src/features/delivery/server/message/status-update.test.ts'],
	},
	{
		name: 'an unmatched status update is retried without a delay',
		file: statusUpdateQueries,
		text: 'const RETRY_FACTOR = 12',
		replacement: 'const RETRY_FACTOR = 2',
		tests: [sweepsTest],
	},
	{
		name: 'a status update on a message of an earlier release is lost',
		file: restoreGenerations,
		text: '(?::\\d{1,2}|:([0-9a-z]{8}))?',
		replacement: '(?::([0-9a-z]{8}))?',
		tests: [restoreGenerationsTest],
	},
	{
		name: 'any signature is accepted',
		file: secrets,
		text: 'return timingSafeEqual(expected, given)',
		replacement: 'return expected.length === given.length',
		tests: [webhookTest],
	},
	{
		name: 'a delivery of an unknown kind is discarded',
		file: deliveryReader,
		text: 'const unknown = [...new Set(kinds)].filter((kind) => !isKnown(kind) && !isIgnored(kind))',
		replacement: 'const unknown = [...new Set(kinds)].filter((kind) => isKnown(kind) && !isKnown(kind))',
		tests: [ingestTest],
	},
	{
		name: 'the absence of a number’s sender is cached',
		file: senderDirectory,
		text: '?.some((sender) => hasNow(sender, name))',
		replacement: '',
		tests: [routingTest],
	},
	{
		name: 'messages to a number without a sender are discarded',
		file: routing,
		text: '(candidates.length === 0 && statusCount !== null)) return []',
		replacement: 'candidates.length === 0) return []',
		tests: [routingTest],
	},
	{
		name: 'account changes and statuses share a transaction',
		file: routing,
		text: '${sender.accountId} ${change.isOfMessages} ${deadLetterReason}',
		replacement: '${sender.accountId} ${deadLetterReason}',
		tests: [routingTest],
	},
	// Opt-outs.
	{
		name: 'an earlier opt-out or opt-in replaces a later one',
		file: optOutQueries,
		text: 'where excluded.said_at > o.said_at or',
		replacement: 'where excluded.said_at <> o.said_at or',
		tests: [optOutsTest],
	},
	{
		name: 'of an opt-out and an opt-in at the same time the later row wins',
		file: optOuts,
		text: '&& one.optedOut)',
		replacement: '&& !one.optedOut)',
		tests: [optOutsTest],
	},
	{
		name: 'a contact who opted in again gets no campaign',
		file: audienceQueries,
		text: 'o.number = ${number} and o.is_opted_out',
		replacement: 'o.number = ${number}',
		tests: [moneyHistoriesTest],
	},
	{
		name: 'a refusal because of opting out is not read',
		file: responseClassifier,
		text: 'optOut: code === OPTED_OUT_CODE',
		replacement: 'optOut: code === 0',
		tests: [responseClassifierTest],
	},
	// Sweeps.
	{
		name: 'an unconfirmed message fails at once',
		file: sweepQueries,
		text: 'where account_id = ${accountId} and unknown_since < now() - ${seconds} * interval',
		replacement: 'where account_id = ${accountId} and unknown_since < now() + ${seconds} * interval',
		tests: [sweepsTest],
	},
	{
		name: 'a message expires before its thirty days',
		file: sweepQueries,
		text: "m.sent_at < now() - ${days} * interval '1 day' and m.sent_at >",
		replacement: 'm.sent_at >',
		tests: [sweepsTest],
	},
	{
		name: 'a message expires although no later status update arrived',
		file: sweepQueries,
		text: "m.sent_at < s.reported_through + ${REPORTED_STEP_SECONDS} * interval '1 second'",
		replacement: 'm.sent_at < now()',
		tests: [sweepsTest],
	},
	{
		name: 'unsent messages of a cancelled campaign fail as unable to run',
		file: sweeps,
		text: "status === 'cancelled' ? OWN_ERRORS.cancelled : OWN_ERRORS.notRun",
		replacement: "status === 'cancelled' ? OWN_ERRORS.notRun : OWN_ERRORS.cancelled",
		tests: [sweepsTest],
	},
]
