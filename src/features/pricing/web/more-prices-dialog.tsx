import { Button, Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { decimal, paiseFromRupees } from '#lib/money.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type FieldErrors, type SchemaForm } from '#lib/web/form.ts'
import { formQuery, invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import {
	MorePricesBody,
	OTHER_MARKETS,
	PRICE_FIELDS,
	pricing,
	type PricedUser,
	type PriceListFields,
} from '../contract.ts'
import { marketName, type Market } from '../markets.ts'
import { MAX_ABROAD_PERCENT, PRICE_CATEGORIES, type AbroadRule, type PriceCategory, type PriceList } from '../rules.ts'
import { AbroadHint, priceListOf } from './abroad-hint.tsx'

interface MorePricesDialogProps {
	dialog: DialogFor<PricedUser>
	/** Called with the id of the user whose prices were saved. */
	onSaved: (userId: string) => void
}

/** Edits what an account pays for authentication messages, replies and messages to other countries. */
export function MorePricesDialog({ dialog, onSaved }: MorePricesDialogProps) {
	const { subject: user, close } = dialog
	return (
		<FormDialog dialog={dialog} size={620} title={user && <UserText text={user.name} />}>
			{user && (
				<LoadedPrices
					user={user}
					onDone={() => {
						close()
						onSaved(user._id)
					}}
				/>
			)}
		</FormDialog>
	)
}

interface LoadedPricesProps {
	user: PricedUser
	onDone: () => void
}

function LoadedPrices({ user, onDone }: LoadedPricesProps) {
	const reading = useQuery(formQuery(pricing.one, { params: { userId: user._id } }))
	if (!reading.data) return <MissingPart message="The prices could not be loaded." readings={[reading]} />
	return <MorePricesForm user={user} saved={reading.data.pricing} onDone={onDone} />
}

interface Values {
	authenticationPrice: string
	servicePrice: string
	rule: AbroadRule
	percent: string | number
	fixedPrices: { market: Market | null; category: PriceCategory; price: string }[]
	passesOnFree: boolean
}

const RULES: { value: AbroadRule; label: string }[] = [
	{ value: 'same', label: 'The same as in India' },
	{ value: 'card', label: 'WhatsApp’s rate and a percentage' },
	{ value: 'blocked', label: 'No messages to other countries' },
]
const COUNTRIES = OTHER_MARKETS.map((market) => ({ value: market, label: marketName(market) }))
const CATEGORY_NAMES: Record<PriceCategory, string> = {
	marketing: 'Marketing',
	utility: 'Utility',
	authentication: 'Authentication',
	service: 'Reply',
}
const CATEGORIES = PRICE_CATEGORIES.map((value) => ({ value, label: CATEGORY_NAMES[value] }))

function MorePricesForm({ user, saved, onDone }: LoadedPricesProps & { saved: PriceListFields }) {
	const state = useSchemaForm<Values>({
		schema: errorsOf,
		initialValues: valuesOf(saved),
		submit: async (values) => {
			const { marketingPrice, utilityPrice } = saved
			const { authenticationPrice, servicePrice, abroad, passesOnFree } = bodyOf(values)
			const isAbroadEdited = (['rule', 'percent', 'fixedPrices'] as const).some((field) => form.isDirty(field))
			// The server keeps what is absent: another admin may have changed it. The prices in India are not edited here.
			const body = {
				marketingPrice,
				utilityPrice,
				unchanged: [...PRICE_FIELDS],
				...(form.isDirty('authenticationPrice') && { authenticationPrice }),
				...(form.isDirty('servicePrice') && { servicePrice }),
				...(form.isDirty('passesOnFree') && { passesOnFree }),
				...(isAbroadEdited && { abroad }),
			}
			const { message } = await call(pricing.update, { params: { userId: user._id }, body })
			toast.success(message)
			void invalidate(pricing.one)
			onDone()
		},
		failed: (error) => toast.failure(error, 'Failed to update prices'),
	})
	const { form } = state
	const amount = { inputMode: 'decimal' as const, leftSection: '₹', autoComplete: 'off' }
	return (
		<Form state={state}>
			<TextInput
				label="Authentication Price"
				description="Empty: the same as utility."
				data-autofocus
				{...amount}
				{...form.getInputProps('authenticationPrice')}
			/>
			<TextInput
				label="Reply Price"
				description="The price of each chat reply that WhatsApp charges for. Enter 0.00 for free replies."
				{...amount}
				{...form.getInputProps('servicePrice')}
			/>
			<Checkbox
				label="Pass on what WhatsApp does not charge"
				description="Refund messages that WhatsApp sends free, such as those to people who came from an ad. Applies to new campaigns."
				{...form.getInputProps('passesOnFree', { type: 'checkbox' })}
			/>
			<AbroadRuleFields form={form} />
			<FixedPrices form={form} />
			<AbroadHint list={typedList(saved, form.values)} />
			<FormButtons>Save Prices</FormButtons>
		</Form>
	)
}

/** Chooses the rule for other countries, and the percentage of rule `card`. */
function AbroadRuleFields({ form }: Pick<SchemaForm<Values>, 'form'>) {
	const { rule } = form.values
	return (
		<>
			<Select
				label="Other Countries"
				description={
					rule === 'card' ? 'Never less than in India. Countries without a known rate get no message.' : null
				}
				data={RULES}
				allowDeselect={false}
				{...form.getInputProps('rule')}
			/>
			{rule === 'card' && (
				<NumberInput
					label="Percentage added to WhatsApp’s rate"
					suffix=" %"
					min={0}
					max={MAX_ABROAD_PERCENT}
					allowDecimal={false}
					{...form.getInputProps('percent')}
				/>
			)}
		</>
	)
}

function FixedPrices({ form }: Pick<SchemaForm<Values>, 'form'>) {
	const { fixedPrices } = form.values
	const add = () => form.insertListItem('fixedPrices', { market: null, category: 'marketing', price: '' })
	return (
		<Stack gap="xs" component="section" aria-label="Fixed prices">
			<Text size="sm" fw={700}>
				Fixed prices
			</Text>
			<Text size="sm" c="dimmed">
				A fixed price for a country replaces the rule above.
			</Text>
			{fixedPrices.map((_, index) => (
				// Rows have no identity but their place.
				<Group key={index} gap="xs" align="start" wrap="wrap">
					<Select
						aria-label={`Country ${index + 1}`}
						placeholder="Country"
						data={COUNTRIES}
						searchable
						flex="2 1 160px"
						{...form.getInputProps(`fixedPrices.${index}.market`)}
					/>
					<Select
						aria-label={`Category ${index + 1}`}
						data={CATEGORIES}
						allowDeselect={false}
						flex="1 1 120px"
						{...form.getInputProps(`fixedPrices.${index}.category`)}
					/>
					<TextInput
						aria-label={`Price ${index + 1}`}
						placeholder="0.00"
						inputMode="decimal"
						leftSection="₹"
						autoComplete="off"
						flex="1 1 90px"
						{...form.getInputProps(`fixedPrices.${index}.price`)}
					/>
					<RowButton
						label={`Remove fixed price ${index + 1}`}
						icon={<IconTrash size={18} aria-hidden />}
						onClick={() => form.removeListItem('fixedPrices', index)}
					/>
				</Group>
			))}
			{form.errors['fixedPrices'] && (
				<Text size="sm" c="red" role="alert">
					{form.errors['fixedPrices']}
				</Text>
			)}
			<Button
				variant="default"
				leftSection={<IconPlus size={16} aria-hidden />}
				onClick={add}
				style={{ alignSelf: 'start' }}
			>
				Add Fixed Price
			</Button>
		</Stack>
	)
}

const textOf = (price: number) => decimal(paiseFromRupees(price) ?? 0)

function valuesOf({ authenticationPrice, servicePrice, abroad, passesOnFree }: PriceListFields): Values {
	return {
		authenticationPrice: authenticationPrice === null ? '' : textOf(authenticationPrice),
		servicePrice: textOf(servicePrice),
		passesOnFree,
		rule: abroad.rule,
		percent: String(abroad.percent),
		fixedPrices: abroad.fixedPrices.map(({ price, ...one }) => ({ ...one, price: textOf(price) })),
	}
}

function bodyOf({ authenticationPrice, servicePrice, rule, percent, fixedPrices, passesOnFree }: Values) {
	const isEmpty = authenticationPrice.trim() === ''
	// The country of a row is checked before the body is sent.
	const prices = fixedPrices.map((one) => ({ ...one, market: one.market as Exclude<Market, null> }))
	return {
		authenticationPrice: isEmpty ? null : authenticationPrice,
		servicePrice,
		passesOnFree,
		abroad: { rule, percent: String(percent), fixedPrices: prices },
	}
}

/** Returns the saved prices in India with the typed ones; null while a typed value has a fault. */
function typedList(saved: PriceListFields, values: Values): PriceList | null {
	const { data } = MorePricesBody.safeParse(bodyOf(values))
	return (
		(data && {
			...priceListOf(saved),
			authenticationPaise: data.authenticationPrice,
			servicePaise: data.servicePrice,
			passesOnFree: data.passesOnFree,
			abroadRule: data.abroad.rule,
			abroadPercent: data.abroad.percent,
			fixedPrices: data.abroad.fixedPrices,
		}) ??
		null
	)
}

/** Returns the faults of the typed values by field, with the sentences of the server. */
function errorsOf(values: Values): FieldErrors {
	const { error } = MorePricesBody.safeParse(bodyOf(values))
	const issues = error?.issues ?? []
	return Object.fromEntries(
		issues.map(({ path, message }) => [
			path
				.filter((part) => part !== 'abroad')
				.map(String)
				.join('.'),
			message,
		]),
	)
}
