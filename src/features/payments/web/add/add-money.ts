import { useSyncExternalStore } from 'react'

export interface AddMoneyRequest {
	/** Suggested amount in rupees. */
	amount?: number
	/** Path to return to after the payment; the current screen by default. */
	back?: string
	/** Sentence about input that the payment loses, such as a chosen file. */
	warning?: string
}

interface AddMoneyState {
	/** Null before the first opening. Remains while the dialog fades out. */
	request: AddMoneyRequest | null
	opened: boolean
}

const CLOSED: AddMoneyState = { request: null, opened: false }

let state = CLOSED
const listeners = new Set<() => void>()

function setState(next: AddMoneyState): void {
	state = next
	for (const listener of listeners) listener()
}

/** Opens the dialog that adds money. All screens share it. */
export function openAddMoney(request: AddMoneyRequest = {}): void {
	setState({ request, opened: true })
}

export function closeAddMoney(): void {
	setState({ ...state, opened: false })
}

/** Forgets the dialog, when the screens of the signed-in user are left. */
export function forgetAddMoney(): void {
	setState(CLOSED)
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener)
	return () => listeners.delete(listener)
}

export function useAddMoney(): AddMoneyState {
	return useSyncExternalStore(subscribe, () => state)
}
