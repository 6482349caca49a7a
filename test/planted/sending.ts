import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const autoPauseTest = `${delivery}/sending/auto-pause.test.ts`
const autoPause = `${delivery}/sending/auto-pause.ts`
const claimQueries = `${delivery}/claims/claim-queries.ts`
const finishQueries = `${delivery}/claims/finish-queries.ts`
const unsettledQueries = `${delivery}/claims/unsettled-queries.ts`
const claimsTest = `${delivery}/claims/claims.test.ts`
const diskLogTest = 'src/lib/server/storage/disk-log.test.ts'
const diskLog = 'src/lib/server/storage/disk-log.ts'
const leaseQueries = `${delivery}/sending/lease-queries.ts`
const recorder = `${delivery}/sending/recorder.ts`
const recoveryTest = `${delivery}/claims/recovery.test.ts`
const recovery = `${delivery}/claims/recovery.ts`
const responseClassifierTest = 'src/features/delivery/server/message/response-classifier.test.ts'
const responseClassifier = 'src/features/delivery/server/message/response-classifier.ts'
const sendingState = 'src/features/whatsapp/server/sending-state-queries.ts'
const sendLogTest = 'src/lib/server/storage/send-log.test.ts'
const sendLog = 'src/lib/server/storage/send-log.ts'

/** Faults in claims, leases, recovery and retries, which let a message be sent twice or never. */
export const SENDING_FAULTS: readonly PlantedFault[] = [
	// Claims.
	{
		name: 'a claim leaves out a contact who opted in again',
		file: claimQueries,
		text: 'and o.number = m.number and o.is_opted_out',
		replacement: 'and o.number = m.number',
		tests: [recoveryTest],
	},
	{
		name: 'a contact who opted out of marketing is left out of a utility campaign',
		file: claimQueries,
		text: 'where k.is_marketing and o.account_id',
		replacement: 'where o.account_id',
		tests: [recoveryTest],
	},
	{
		name: 'marketing of programs is sent to contacts who opted out after the order',
		file: claimQueries,
		text: "c.template ->> 'category' = 'MARKETING' as is_marketing",
		replacement: "c.template ->> 'category' = 'MARKETING' and c.kind = 'campaign' as is_marketing",
		tests: [claimsTest],
	},
	{
		name: 'marketing of programs does not wait in quiet hours',
		file: 'src/features/delivery/server/sending-rules-queries.ts',
		text: "kind = 'api' and template ->> 'category' = 'MARKETING'",
		replacement: "kind = 'api' and template ->> 'category' = 'NONE'",
		tests: [`${delivery}/sending/quiet-hours.test.ts`],
	},
	{
		name: 'a claim never grows too old',
		file: `${delivery}/claims/claims.ts`,
		text: 'performance.now() - claim.claimedAtMs <= MAX_CLAIM_AGE_MS',
		replacement: 'claim.claimedAtMs <= performance.now()',
		tests: [claimsTest],
	},
	{
		name: 'messages claimed before an outage are sent after it',
		file: `${delivery}/sending/send-message.ts`,
		text: '\t\tgiveBackReady(run)\n',
		replacement: '',
		tests: [`${delivery}/sending/send-message.test.ts`],
	},
	{
		name: 'a worker claims new messages without the lease',
		file: claimQueries,
		text: 'claimBy(takeFresh)',
		replacement:
			"claimBy((sql, accountId, { request }) => takeFresh(sql, accountId, { request, mayTake: verbatim('true') }))",
		tests: [recoveryTest],
	},
	{
		name: 'a worker claims retries without the lease',
		file: claimQueries,
		text: 'claimBy(takeRetries)',
		replacement:
			"claimBy((sql, accountId, { request }) => takeRetries(sql, accountId, { request, mayTake: verbatim('true') }))",
		tests: [recoveryTest],
	},
	{
		name: 'a retry is claimed before its time',
		file: claimQueries,
		text: 'sql`and u.retry_at <= now()`',
		replacement: 'sql``',
		tests: [recoveryTest],
	},
	{
		name: 'the cursor stays behind the last claimed message',
		file: claimQueries,
		text: 'set claimed_through = n.through',
		replacement: 'set claimed_through = n.through - 1',
		tests: [recoveryTest],
	},
	{
		name: 'settled messages are claimed',
		file: claimQueries,
		text: "m.seq <= k.through\n\t\twhere m.status = 'pending'",
		replacement: 'm.seq <= k.through\n\t\twhere true',
		tests: [recoveryTest],
	},
	{
		name: 'a message leaves its claim twice',
		file: finishQueries,
		text: 'from finished f join held h on h.batch = f.batch and h.seq = f.seq',
		replacement: 'from finished f',
		tests: [recoveryTest],
	},
	{
		name: 'an empty claim stays',
		file: finishQueries,
		text: "r.seqs = '{}'\n",
		replacement: 'r.seqs is null\n',
		tests: [recoveryTest],
	},
	{
		name: 'a message that is settled waits for a retry',
		file: unsettledQueries,
		text: "and m.status = 'pending'\n\t\ton conflict",
		replacement: '\n\t\ton conflict',
		tests: [recoveryTest],
	},
	{
		name: 'a stopped account claims messages',
		file: claimQueries,
		text: 'and ${isInUse(sql, sql`${accountId}::bigint`)}\n\tfor no key update',
		replacement: '\n\tfor no key update',
		tests: [recoveryTest],
	},
	// Leases and recovery.
	{
		name: 'two workers take one lease',
		file: sendingState,
		text: 'and lease_epoch = ${seen.epoch} and lease_worker is not distinct from ${seen.worker}::text',
		replacement: '',
		tests: [recoveryTest],
	},
	{
		name: 'a new lease has the epoch of the old one',
		file: sendingState,
		text: 'lease_epoch = lease_epoch + 1',
		replacement: 'lease_epoch = lease_epoch',
		tests: [recoveryTest],
	},
	{
		name: 'a lease that was taken over is given back',
		file: sendingState,
		text: 'set lease_worker = null, waiting_reason = null\n\t\twhere account_id = ${accountId} and lease_worker = ${lease.worker} and lease_epoch = ${lease.epoch}',
		replacement: 'set lease_worker = null, waiting_reason = null\n\t\twhere account_id = ${accountId}',
		tests: [recoveryTest],
	},
	{
		name: 'orphaned claims of paused campaigns are not seen',
		file: leaseQueries,
		text: 'select account_id from message_claims ',
		replacement: 'select account_id from message_claims where false ',
		tests: [recoveryTest],
	},
	{
		name: 'without a send log everything is sent again',
		file: recovery,
		text: '!handed || handed.has(seq)',
		replacement: 'handed?.has(seq) ?? false',
		tests: [recoveryTest],
	},
	{
		name: 'messages handed to a connection are sent again',
		file: recovery,
		text: '!handed || handed.has(seq)',
		replacement: '!handed',
		tests: [recoveryTest],
	},
	{
		name: 'an incomplete send log counts as complete',
		file: sendLog,
		text: 'if (content.length % RECORD_BYTES !== 0) return null\n',
		replacement: '',
		tests: [sendLogTest],
	},
	{
		name: 'a frozen worker continues after its log was taken',
		file: diskLog,
		text: 'fstatSync(this.#file).nlink === 0',
		replacement: 'fstatSync(this.#file).nlink > 1',
		tests: [sendLogTest, diskLogTest],
	},
	{
		name: 'a disk log whose reader returns false is deleted',
		file: diskLog,
		text: "if (!(await read(await file.readFile('utf8')))) return ''",
		replacement: "await read(await file.readFile('utf8'))",
		tests: [diskLogTest],
	},
	{
		name: 'a disk log loses lines appended while it is read',
		file: diskLog,
		text: "return await file.readFile('utf8')",
		replacement: "return ''",
		tests: [diskLogTest],
	},
	// Retries.
	{
		name: 'a message has one attempt too many',
		file: recorder,
		text: 'if (attempts + 1 < MAX_ATTEMPTS)',
		replacement: 'if (attempts < MAX_ATTEMPTS)',
		tests: [recoveryTest],
	},
	{
		name: 'an outage uses up attempts',
		file: recorder,
		text: 'return again(outcome.delayMs, attempts)\n',
		replacement: 'return again(outcome.delayMs, attempts + 1)\n',
		tests: [recoveryTest],
	},
	{
		name: 'a message that another worker has claimed is put back',
		file: recorder,
		text: 'if (left.unsettled && isHeld)',
		replacement: 'if (left.unsettled)',
		tests: [recoveryTest],
	},
	{
		name: 'a message is retried after an answer that leaves its outcome open',
		file: responseClassifier,
		text: "if (isHanded) return { kind: 'unknown'",
		replacement: "if (!isHanded) return { kind: 'unknown'",
		tests: [responseClassifierTest],
	},
	{
		name: 'a fault of WhatsApp counts as a fault of the recipient',
		file: responseClassifier,
		text: "if (scope === 'fault') return { kind: 'unknown', error }\n",
		replacement: '',
		tests: [responseClassifierTest],
	},
	{
		name: 'ten consecutive refusals do not pause the campaign',
		file: autoPause,
		text: 'const REPEATS_TO_PAUSE = 10',
		replacement: 'const REPEATS_TO_PAUSE = 11',
		tests: [autoPauseTest],
	},
	{
		name: 'refusals of messages sent before a pause cause another pause',
		file: autoPause,
		text: 'Number.NEGATIVE_INFINITY)) return false',
		replacement: 'Number.NEGATIVE_INFINITY)) return true',
		tests: [autoPauseTest],
	},
]
