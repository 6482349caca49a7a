import type { PlantedFault } from './fault.ts'

const developer = 'src/features/developer/server'
const idempotency = `${developer}/orders/idempotency.ts`
const idempotencyTest = `${developer}/orders/idempotency.test.ts`
const requestQueries = `${developer}/orders/request-queries.ts`
const orderQueue = `${developer}/orders/order-queue.ts`
const orderQueueTest = `${developer}/orders/order-queue.test.ts`
const deliver = `${developer}/webhooks/deliver.ts`
const deliverTest = `${developer}/webhooks/deliver.test.ts`
const deliveryQueries = 'src/features/events/server/delivery-queries.ts'
const events = 'src/features/events/server/service.ts'
const jobsQueries = 'src/lib/server/jobs/jobs-queries.ts'
const jobsTest = 'src/lib/server/jobs/jobs.test.ts'
const listsTest = `${developer}/v1/lists.test.ts`
const customFieldsTest = 'src/features/campaigns/server/creation/custom-fields.test.ts'
const segments = 'src/features/audiences/server/segments/segments.ts'
const recipientList = 'src/features/developer/server/campaigns/recipient-list.ts'
const reportTest = 'src/features/campaigns/server/report/report.test.ts'

/** Faults in the orders of programs, in webhook deliveries to their systems, and in the jobs behind them. */
export const PROGRAM_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a key of one campaign answers for another',
		file: idempotency,
		text: '[method, routeOptions.url, params, body]',
		replacement: '[method, routeOptions.url, body]',
		tests: [idempotencyTest],
	},
	{
		name: 'a key is taken again within its day',
		file: requestQueries,
		text: "excluded.created_at at time zone 'UTC' - interval '1 day'",
		replacement: "excluded.created_at at time zone 'UTC' - interval '22 hours'",
		tests: [idempotencyTest],
	},
	{
		name: 'a key is never taken again',
		file: requestQueries,
		text: "excluded.created_at at time zone 'UTC' - interval '1 day'",
		replacement: "excluded.created_at at time zone 'UTC' - interval '3 days'",
		tests: [idempotencyTest],
	},
	{
		name: 'the sweep deletes a key that is claimed meanwhile',
		file: requestQueries,
		text: 'where account_id = ${accountId} and created_at < now() - ${age}::interval and key_hash in (',
		replacement: 'where account_id = ${accountId} and key_hash in (',
		tests: [idempotencyTest],
	},
	{
		name: 'the sweep cancels a list that is started meanwhile',
		file: 'src/features/delivery/server/orders/order-queries.ts',
		text: 'where account_id = ${accountId} and ${isOld} and id in (',
		replacement: 'where account_id = ${accountId} and id in (',
		tests: [listsTest],
	},
	{
		name: 'two orders of a batch are paid from the same money',
		file: `${developer}/orders/write-orders.ts`,
		text: 'if (neededPaise <= leftPaise) leftPaise -= neededPaise',
		replacement: 'if (neededPaise <= leftPaise) leftPaise -= 0',
		tests: [orderQueueTest],
	},
	{
		name: 'an order that comes at the end of its queue is never written',
		file: orderQueue,
		text: '\t\tthis.#queues.delete(key)\n',
		replacement: '\t\tawait null\n\t\tthis.#queues.delete(key)\n',
		tests: [orderQueueTest],
	},
	{
		name: 'an order concurrent with a deactivation is sent later',
		file: 'src/features/users/server/service.ts',
		text: 'const isBack = after !== null && !isSending(before) && isSending(after)',
		replacement: 'const isBack = after !== null && isSending(before) && !isSending(after)',
		tests: [orderQueueTest],
	},
	{
		name: 'an order concurrent with the stop of its sender is sent later',
		file: 'src/features/delivery/server/sending/send-loop.ts',
		text: 'state.stoppedReason !== null && state.campaigns.length > 0',
		replacement: 'state.stoppedReason !== null && state.campaigns.length > 500',
		tests: [orderQueueTest],
	},
	{
		name: 'a list reaches people whom another list has reached meanwhile',
		file: recipientList,
		text: 'total, isMarketing: isMarketing(category), opensAt })',
		replacement: 'total, isMarketing: false, opensAt })',
		tests: [listsTest],
	},
	{
		name: 'a tag of a segment is deleted while its campaign is written',
		file: segments,
		text: 'if (isLocked) await queries.lockReferred',
		replacement: 'if (!isLocked) await queries.lockReferred',
		tests: [customFieldsTest],
	},
	{
		name: 'a message of a program is retried twice',
		file: 'src/features/campaigns/server/report/recipient-queries.ts',
		text: 'else ${identifier(message)}.origin_seq end',
		replacement: 'else ${identifier(message)}.seq end',
		tests: [reportTest],
	},
	// Webhooks and jobs.
	{
		name: 'later events are sent before a waiting delivery',
		file: events,
		text: 'if (waiting) return waiting.isDue ? waiting : undefined',
		replacement: 'if (waiting?.isDue) return waiting',
		tests: [deliverTest],
	},
	{
		name: 'two concurrent runs take batches of one address',
		file: events,
		text: 'await deliveries.lockAddress(sql, accountId, address)\n\t\tconst waiting =',
		replacement: 'const waiting =',
		tests: [deliverTest],
	},
	{
		name: 'a failure undoes the success of another run',
		file: deliveryQueries,
		text: 'and id = ${attempt.id} and attempts = ${attempt.attempts}',
		replacement: 'and id = ${attempt.id}',
		tests: [deliverTest],
	},
	{
		name: 'a run continues after another worker has taken over its job',
		file: deliver,
		text: 'while (await isMine()) {',
		replacement: 'for (;;) {\n\t\tvoid isMine',
		tests: [deliverTest],
	},
	{
		name: 'a run continues after another run has sent its batch',
		file: deliver,
		text: 'return isOnly',
		replacement: 'return isOnly || true',
		tests: [deliverTest],
	},
	{
		name: 'an unreadable secret fails the job, not the attempt',
		file: deliver,
		text: 'if (!signed) return { answerStatus: null, error: UNREADABLE_SECRET, durationMs: null }',
		replacement: 'if (!signed) throw new Error(UNREADABLE_SECRET)',
		tests: [deliverTest],
	},
	{
		name: 'a job claimed while its process stops runs there',
		file: 'src/lib/server/jobs/jobs.ts',
		text: 'if (this.#stopping.signal.aborted) return await this.#giveBack(job)\n',
		replacement: '',
		tests: [jobsTest],
	},
	{
		name: 'a worker without heartbeats claims jobs',
		file: jobsQueries,
		text: 'and ${worker} = any(${alive}) and',
		replacement: 'and',
		tests: [jobsTest],
	},
	{
		name: 'the end of a run ends the run of the worker that has taken its job over',
		file: jobsQueries,
		text: 'sql`id = ${id} and claimed_by = ${worker} and attempts = ${attempts}`',
		replacement: 'sql`id = ${id} and (claimed_by = ${worker} or attempts > 0) and ${attempts}::int > 0`',
		tests: [jobsTest],
	},
]
