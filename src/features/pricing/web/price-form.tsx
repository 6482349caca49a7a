import { NumberInput, Text } from '@mantine/core'
import { useEffect } from 'react'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { toast } from '#lib/web/toast.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { PricesBody, pricing, type PricedUser } from '../contract.ts'

interface PriceFormProps {
	user: PricedUser
	onBusy: (busy: boolean) => void
	onCancel: () => void
	onDone: (prices: Pick<PricedUser, 'marketingPrice' | 'utilityPrice'>) => void
}

export function PriceForm({ user, onBusy, onCancel, onDone }: PriceFormProps) {
	const { form, busy, draft, onSubmit } = useSchemaForm({
		draft: draftName('prices', user),
		schema: PricesBody,
		initialValues: { marketingPrice: user.marketingPrice, utilityPrice: user.utilityPrice },
		submit: async (body) => {
			const { pricing: prices, message } = await call(pricing.update, { params: { userId: user._id }, body })
			toast.success(message)
			onDone(prices)
		},
		failed: (error) => toast.failure(error, 'Failed to update prices'),
	})
	useEffect(() => onBusy(busy), [busy, onBusy])
	const price = (name: 'marketingPrice' | 'utilityPrice') => ({
		...form.getInputProps(name),
		// Whatever is not a number is 0, as the empty field is.
		onChange: (value: number | string) => form.setFieldValue(name, typeof value === 'number' ? value : 0),
		leftSection: '₹',
		inputMode: 'decimal' as const,
		step: 0.01,
		min: 0,
		clampBehavior: 'none' as const,
		decimalScale: 2,
		fixedDecimalScale: true,
		required: true,
	})
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			<DraftNotice draft={draft} />
			<NumberInput label="Marketing Price" data-autofocus {...price('marketingPrice')} />
			<NumberInput label="Utility Price" {...price('utilityPrice')} />
			<Example {...form.values} />
			<FormButtons save="Save Prices" busy={busy} onCancel={onCancel} />
		</form>
	)
}

/** A slip of a decimal shows in a thousand messages. */
function Example({ marketingPrice, utilityPrice }: { marketingPrice: number; utilityPrice: number }) {
	return (
		<Text size="sm" c="dimmed">
			1,000 messages cost {thousand(marketingPrice)} as marketing and {thousand(utilityPrice)} as utility.
		</Text>
	)
}

function thousand(price: number): string {
	const paise = paiseFromRupees(price)
	return paise === null ? '-' : formatRupees(rupeesFromPaise(paise * 1000))
}
