import { updateRow } from './manage/user-rows.ts'

/** Applies the server's answer about a balance to the rows on screen without fetching them again. */
export function replaceBalance(userId: string, walletBalance: number): void {
	updateRow(userId, { walletBalance })
}
