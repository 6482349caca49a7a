import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WheelEvent } from 'react'
import { decimal, formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { call, type ResponseOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { PRICE_FIELDS, PricesBody, pricing, type PricedUser, type PriceListFields } from '../contract.ts'
import type { PriceList } from '../rules.ts'
import { AbroadHint, priceListOf } from './abroad-hint.tsx'
import { useRateHint } from './rate-hint.tsx'

type Priced = Pick<PricedUser, '_id' | 'name' | 'marketingPrice' | 'utilityPrice'>

interface PriceDialogProps {
	dialog: Pick<DialogFor<Priced>, 'subject' | 'opened' | 'close'>
	/** Called with the id of the user whose prices were saved. */
	onSaved: (userId: string) => void
}

export function PriceDialog({ dialog, onSaved }: PriceDialogProps) {
	const { subject: user, close } = dialog
	const done = (userId: string) => {
		close()
		onSaved(userId)
	}
	return (
		<FormDialog dialog={dialog} title={user && <UserText text={user.name} />}>
			{user && <PriceForm user={user} onDone={done} />}
		</FormDialog>
	)
}

interface PriceFormProps {
	user: Priced
	onDone: (userId: string) => void
}

function PriceForm({ user, onDone }: PriceFormProps) {
	const state = useSchemaForm({
		draft: draftName('prices', user),
		schema: PricesBody,
		initialValues: { marketingPrice: textOf(user.marketingPrice), utilityPrice: textOf(user.utilityPrice) },
		submit: async ({ marketingPrice, utilityPrice }) => {
			const unchanged = PRICE_FIELDS.filter((field) => !form.isDirty(field))
			const prices = { marketingPrice: numberOf(marketingPrice), utilityPrice: numberOf(utilityPrice) }
			const body = { ...prices, ...(unchanged.length > 0 && { unchanged }) }
			const saved = await call(pricing.update, { params: { userId: user._id }, body })
			toast.success(saved.message)
			replacePrices(user._id, saved.pricing)
			onDone(user._id)
		},
		failed: (error) => {
			toast.failure(error, 'Failed to update prices')
			void invalidate(pricing.list)
		},
	})
	const { form } = state
	// Replaces text that is no number, such as an empty field, with 0 on blur. Formatting while typing would move the
	// digits that follow.
	const zeroIfEmpty = () => {
		for (const name of ['marketingPrice', 'utilityPrice'] as const)
			if (form.getValues()[name] === '') form.setFieldValue(name, '0.00')
	}
	const saved = useQuery(query(pricing.one, { params: { userId: user._id } })).data?.pricing
	const price = (name: 'marketingPrice' | 'utilityPrice') => ({
		...form.getInputProps(name),
		type: 'number',
		inputMode: 'decimal' as const,
		min: 0,
		step: 0.01,
		leftSection: '₹',
		required: true,
		autoComplete: 'off',
		onBlur: zeroIfEmpty,
		// Blurs the field on scroll: a focused number input would change its value.
		onWheel: (event: WheelEvent<HTMLInputElement>) => event.currentTarget.blur(),
	})
	return (
		<Form
			state={{
				...state,
				onSubmit(event) {
					zeroIfEmpty()
					state.onSubmit(event)
				},
			}}
		>
			<TextInput
				label="Marketing Price"
				description={useRateHint('marketing', form.values.marketingPrice)}
				data-autofocus
				{...price('marketingPrice')}
			/>
			<TextInput
				label="Utility Price"
				description={useRateHint('utility', form.values.utilityPrice)}
				{...price('utilityPrice')}
			/>
			<Example {...form.values} />
			<AbroadHint list={saved ? withTyped(saved, form.values) : null} />
			<FormButtons>Save Prices</FormButtons>
		</Form>
	)
}

/** Returns the saved prices with the typed prices in India; null while a typed price is no number. */
function withTyped(
	saved: PriceListFields,
	{ marketingPrice, utilityPrice }: Record<'marketingPrice' | 'utilityPrice', string>,
): PriceList | null {
	const [marketingPaise, utilityPaise] = [paiseFromRupees(marketingPrice), paiseFromRupees(utilityPrice)]
	if (marketingPaise === null || utilityPaise === null) return null
	return { ...priceListOf(saved), marketingPaise, utilityPaise }
}

/** Writes the saved prices into the cached rows, without a refetch. */
function replacePrices(userId: string, prices: Pick<PricedUser, 'marketingPrice' | 'utilityPrice'>): void {
	queryClient.setQueriesData<ResponseOf<typeof pricing.list>>(
		{ queryKey: [pricing.list.path] },
		(list) =>
			list && { ...list, users: list.users.map((user) => (user._id === userId ? { ...user, ...prices } : user)) },
	)
}

function textOf(price: number): string {
	return decimal(paiseFromRupees(price) ?? 0)
}

/** Converts a text that the schema has accepted to rupees. */
function numberOf(text: string): number {
	return rupeesFromPaise(paiseFromRupees(text) ?? 0)
}

/** Shows the cost of a thousand messages, where a misplaced decimal point is noticed. */
function Example({ marketingPrice, utilityPrice }: { marketingPrice: string; utilityPrice: string }) {
	return (
		<Text size="sm" c="dimmed">
			1,000 messages cost {thousand(marketingPrice)} as marketing and {thousand(utilityPrice)} as utility.
		</Text>
	)
}

function thousand(price: string): string {
	const paise = paiseFromRupees(price)
	return paise === null ? '-' : formatRupees(rupeesFromPaise(paise * 1000))
}
