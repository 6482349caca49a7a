import { useEffect } from 'react'
import { campaigns } from '#features/campaigns/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { templates } from '#features/templates/contract.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import type { LiveEvent } from '#lib/live.ts'
import { openLive, subscribe } from '#lib/web/live.ts'
import { invalidate, queryClient } from '#lib/web/query.ts'

/** What is fetched anew when the server says that something of this kind has changed. Chats follow their events by themselves. */
const AFFECTED: Record<LiveEvent['kind'], Endpoint[]> = {
	campaign: [campaigns.list, campaigns.get, campaigns.refresh, campaigns.dashboard],
	wallet: [
		wallet.balance,
		wallet.recharges,
		wallet.statement,
		wallet.spending,
		users.me,
		campaigns.dashboard,
		campaigns.audience,
	],
	templates: [templates.list, templates.get],
	notification: [notifications.list],
	chat: [],
	sender: [notifications.list, campaigns.list, campaigns.refresh],
	// Whose session has ended notices by this call.
	session: [users.me],
	resync: [],
}

/** Keeps what is on screen up to date for as long as somebody is signed in. A running campaign reports often: once a second is enough. */
export function useLiveUpdates(): void {
	useEffect(() => {
		const waiting = new Set<LiveEvent['kind']>()
		let timer: ReturnType<typeof setTimeout> | undefined
		const unsubscribe = subscribe(({ kind }) => {
			waiting.add(kind)
			timer ??= setTimeout(() => {
				timer = undefined
				void invalidate(...[...waiting].flatMap((one) => AFFECTED[one]))
				waiting.clear()
			}, 1000)
		})
		const closeLive = openLive(() => void queryClient.invalidateQueries())
		return () => {
			clearTimeout(timer)
			unsubscribe()
			closeLive()
		}
	}, [])
}
