import { isShared, listPeople } from '#features/auth/server/people-queries.ts'
import type { Db } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { inbox } from '../contract.ts'
import { MAX_CAMPAIGNS } from '../rules.ts'
import { listSentCampaigns } from './queries.ts'

/** Mounts the calls that change no chat; the feature chats mounts the others. */
export function inboxRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, inbox.people, async ({ session }) => {
		const people = await listPeople(db, session.accountId)
		return { people: people.map(({ id, name }) => ({ _id: id, name })) }
	})

	mount(http, inbox.campaigns, async ({ session }) => {
		const campaigns = await listSentCampaigns(db, session.accountId, MAX_CAMPAIGNS)
		return { campaigns: campaigns.map(({ id, name }) => ({ _id: id, name })) }
	})

	mount(http, inbox.typing, async ({ body, session }) => {
		const event = { kind: 'typing', id: body.number, by: String(session.userId) } as const
		if (await isShared(db, session.accountId)) announceLive(db, session.accountId, event)
		return { message: 'Your colleagues see that you are typing' }
	})
}
