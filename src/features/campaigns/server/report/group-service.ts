import { problem } from '#features/campaigns/problems.ts'
import { addToNewGroup, type ContactContext } from '#features/contacts/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
import { cutTo } from '#lib/text/characters.ts'
import { countRecipients, listRecipients, type Recipients } from './recipient-queries.ts'

const BATCH_SIZE = 5000

/**
 * Creates a contact group of some of a campaign's recipients. Contacts leave their earlier group, because each is in one at
 * most. Recipients who are no contacts become contacts. Throws a 400 for a group without recipients.
 */
export async function createRecipientGroup(
	context: ContactContext,
	accountId: AccountId,
	{ name, campaignName, ...wanted }: Recipients & { name: string; campaignName: string },
): Promise<{ id: number; name: string }> {
	const { recipients } = await countRecipients(context.db, accountId, wanted)
	if (recipients === 0) throw problem('group_empty')
	const description = cutTo(`${WORDS[wanted.of]}: ${campaignName}`, 500)
	return addToNewGroup(context, accountId, {
		group: { name, type: 'national', description },
		async *people(sql) {
			for (let after = 0; ;) {
				const batch = await listRecipients(sql, accountId, { ...wanted, after, limit: BATCH_SIZE })
				const last = batch.at(-1)
				if (!last) return
				yield batch
				after = last.seq
			}
		},
	})
}

const WORDS = {
	failed: 'Message failed',
	unread: 'Delivered, not read',
	read: 'Message read',
	replied: 'Replied',
	clicked: 'Clicked a link',
}
