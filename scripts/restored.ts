import { prepareRestored, type Restored } from '#app/server/housekeeping/restored.ts'
import { notify } from '#features/notifications/server/service.ts'
import { plural } from '#lib/numbers.ts'
import { connect } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { createLog } from '#lib/server/log.ts'
import { openDatabase } from './open-database.ts'

/**
 * `npm run restored`: run once after a backup was restored and before the product starts on it. Keeps messages that may
 * have been sent since the backup from being sent until their account decides. May be repeated.
 */
const { url, stop } = await openDatabase()
const db = connect(url, { max: 2, name: 'restored' })

try {
	await migrate(process.env.LISTEN_URL || url, { log: createLog('warn') })
	print(await prepareRestored({ db, notify }))
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 1
} finally {
	await db.end()
	await stop()
}

function print({ accounts, latestReceipt }: Restored): void {
	for (const { accountId, campaigns, drafts, doubtful, chatMessages } of accounts) {
		if (campaigns.length + drafts + doubtful + chatMessages === 0) continue
		console.log(`Account ${accountId}`)
		for (const { id, name, pending } of campaigns)
			console.log(`  campaign ${id} "${name}" is paused, ${plural(pending, 'message')} not settled`)
		if (drafts > 0) console.log(`  ${plural(drafts, 'list')} of recipients not started at the backup, cancelled`)
		if (doubtful > 0)
			console.log(`  ${plural(doubtful, 'message')} in flight at the backup, counted as sent unless a report differs`)
		if (chatMessages > 0) console.log(`  ${plural(chatMessages, 'chat message')} not sent again`)
	}
	console.log(
		latestReceipt
			? `The last receipt of the backup is no. ${latestReceipt.number}, of ${latestReceipt.at.toISOString()}, for account ${latestReceipt.accountId}.`
			: 'The backup holds no receipt.',
	)
	console.log('Enter the recharges after it again, in the order of their receipts: each then gets its number back.')
	console.log('Now start the product. Owners find a choice on the report of each campaign that was paused.')
}
