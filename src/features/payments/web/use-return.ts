import { useEffect, useEffectEvent, useState } from 'react'
import { payments, ReturnBody } from '#features/payments/contract.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { useLocation, useSearchParams } from '#lib/web/router/hooks.ts'
import { useAction } from '#lib/web/use-action.ts'

/** The return from the provider's page. */
export interface PaymentReturn {
	/** Status with which the provider's page returned, such as `paid`; null for a screen that was opened otherwise. */
	status: string | null
	/** Error of the confirmation; null without one. */
	error: ApiError | null
	/** Sends the confirmation again, after no answer. */
	retry: () => void
	busy: boolean
}

const FIELDS = Object.keys(ReturnBody.shape) as (keyof ReturnBody)[]

/**
 * Sends the parameters that the provider's page added to the address, and removes them from the address once the server has
 * answered. Until then a reload sends them again, which has no further effect.
 */
export function useReturn(paymentId: string): PaymentReturn {
	const [search, setSearch] = useSearchParams()
	const state: unknown = useLocation().state
	const [error, setError] = useState<ApiError | null>(null)
	const { busy, run } = useAction()
	const signed = search.has('razorpay_signature') ? search.toString() : null

	const send = () =>
		run(
			async () => {
				setError(null)
				const body = bodyOf(search)
				await call(payments.returned, { params: { paymentId }, body })
				await invalidate(payments.one)
				setSearch({}, { replace: true, state: { returned: body.razorpay_payment_link_status } })
			},
			(failure) => {
				if (!(failure instanceof ApiError)) throw failure
				setError(failure)
				const isAnswered = failure.status >= 400 && failure.status < 500
				if (isAnswered) setSearch({}, { replace: true })
			},
		)

	const sendOnce = useEffectEvent(send)
	useEffect(() => {
		if (signed !== null) sendOnce()
	}, [signed])

	const status = search.get('razorpay_payment_link_status') ?? returnedWith(state)
	return { status, error, retry: send, busy }
}

function bodyOf(search: URLSearchParams): ReturnBody {
	return Object.fromEntries(FIELDS.map((field) => [field, search.get(field) ?? ''])) as ReturnBody
}

function returnedWith(state: unknown): string | null {
	const isKnown = typeof state === 'object' && state !== null && 'returned' in state
	return isKnown && typeof state.returned === 'string' ? state.returned : null
}
