import { updateRow } from './manage/user-rows.ts'

/** Puts a balance that the server has just answered into the rows on screen, without fetching them anew. */
export function replaceBalance(userId: string, walletBalance: number): void {
	updateRow(userId, { walletBalance })
}
