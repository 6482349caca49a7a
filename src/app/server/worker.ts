import { startAccountMails } from '#features/auth/server/service.ts'
import { createOpener, settleReports, startDispatcher } from '#features/campaigns/server/service.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { applyTemplateStatus } from '#features/templates/server/service.ts'
import { startBalanceWarnings } from '#features/wallet/server/service.ts'
import { isRecord, startIngest, type WebhookHandler, type WebhookHandlers } from '#features/whatsapp/server/service.ts'
import { startHousekeeping } from '#lib/server/housekeeping.ts'
import { startWorkerHeartbeat } from '#lib/server/workers.ts'
import type { AppContext } from './context.ts'
import { housekeepingTasks } from './housekeeping-tasks.ts'

/** Starts the background side: sending, webhooks, jobs and housekeeping. Returns how to stop it without losing anything. */
export async function startWorker(context: AppContext): Promise<() => Promise<void>> {
	const worker = await startWorkerHeartbeat(context.db, context.log)
	const sending = await startDispatcher({ ...context, worker })
	await startAccountMails(context)
	const stopWarnings = await startBalanceWarnings(context)
	const ingest = await startIngest({ ...context, handlers: composeHandlers(context) })
	const opener = createOpener(context)
	const housekeeping = await startHousekeeping({ ...context, worker }, housekeepingTasks(context, opener))
	return async () => {
		const stopHousekeeping = housekeeping.stop().then(() => opener.stop())
		await Promise.all([ingest.stop(), sending.stop(), stopWarnings(), stopHousekeeping])
		await worker.stop()
	}
}

/** Which feature takes which kind of webhook. */
function composeHandlers({ notify }: Pick<AppContext, 'notify'>): WebhookHandlers {
	const templateChange =
		(field: string): WebhookHandler =>
		async (sql, owner, values) => {
			for (const value of values.filter(isRecord)) {
				const note = await applyTemplateStatus(sql, owner, { field, value })
				if (note) await notify(sql, owner, note)
			}
		}
	const templateFields = [
		'message_template_status_update',
		'message_template_quality_update',
		'template_category_update',
	]
	return {
		async statuses(sql, owner, statuses) {
			const optedOut = await settleReports(sql, owner, { statuses, notify })
			if (optedOut.length > 0) await optOutNumbers(sql, owner, { numbers: optedOut, because: 'network' })
		},
		...Object.fromEntries(templateFields.map((field) => [field, templateChange(field)])),
	}
}
