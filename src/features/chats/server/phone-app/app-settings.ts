import type { PhoneAppSettings } from '#features/chats/contract.ts'
import { requestAppData, type AppData } from '#features/whatsapp/server/cloud-api.ts'
import { GraphError, type CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { requireSender } from '#features/whatsapp/server/service.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { findAppSettings, upsertAppSettings } from './app-settings-queries.ts'

/**
 * Saves which data of the phone app the account stores, and asks WhatsApp for each kind that was switched on. WhatsApp sends it
 * once, within 24 hours after the number was connected; a refusal is a warning, and the setting remains.
 */
export async function saveAppSettings(
	{ db, vault, cloudApi }: { db: Db; vault: Vault; cloudApi: CloudApi },
	accountId: AccountId,
	settings: PhoneAppSettings,
): Promise<string[]> {
	const before = await findAppSettings(db, accountId)
	const asked: AppData[] = []
	if (settings.history && !before.history) asked.push('history')
	if (settings.contacts && !before.contacts) asked.push('smb_app_state_sync')
	const sender = asked.length > 0 ? await requireSender(db, vault, accountId) : null
	// Saves the settings first, because the webhooks may arrive before the answer.
	await upsertAppSettings(db, accountId, { ...settings, at: await getNow(db) })
	const warnings: string[] = []
	for (const data of sender ? asked : []) {
		try {
			await requestAppData(cloudApi, sender?.phoneNumberId ?? '', { token: sender?.accessToken ?? '', data })
		} catch (error) {
			warnings.push(`${NAMES[data]}: ${refusalOf(error)}`)
		}
	}
	return warnings
}

const NAMES: Record<AppData, string> = { history: 'Earlier chats', smb_app_state_sync: 'Contacts' }

/** Words for Meta's refusals of a request for data of the phone app, by code. */
const REFUSALS: Record<number, string> = {
	2593107: 'WhatsApp was asked before and sends them only once.',
	2593108:
		'WhatsApp sends them only within 24 hours after the number was connected. Connect it again to bring them over.',
	2593109: 'The phone app does not share them. Connect the number again and allow it in the app.',
}

function refusalOf(error: unknown): string {
	if (!(error instanceof GraphError)) return 'WhatsApp could not be reached. Switch this off and on again later.'
	const { code = 0, subcode = 0 } = error.fault ?? {}
	return REFUSALS[subcode ?? 0] ?? REFUSALS[code] ?? `WhatsApp refused: ${error.message}`
}
