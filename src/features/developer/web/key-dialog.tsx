import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NO_PROOF, ProofField } from '#features/auth/web/proof-field.tsx'
import { INDIAN_UTC_OFFSET, indianDay } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { CreateKeyBody, developer, Scope, TEST_SCOPES } from '../contract.ts'
import { SCOPE_TEXTS } from './scope-texts.ts'

interface KeyDialogProps {
	dialog: { opened: boolean; close: () => void }
	/** Receives the text of the new key, which is not readable afterwards. */
	onMade: (key: string) => void
}

export function KeyDialog({ dialog, onMade }: KeyDialogProps) {
	const made = (key: string) => {
		dialog.close()
		onMade(key)
	}
	return (
		<FormDialog dialog={dialog} title="Create API key" size={520}>
			<KeyForm onMade={made} />
		</FormDialog>
	)
}

const FIRST_VALUES: typeof NO_PROOF & {
	name: string
	scopes: Scope[]
	networks: string[]
	expiresAt: string | null
	dayLimitRupees: number | null
	isTest: boolean
} = {
	...NO_PROOF,
	name: '',
	scopes: ['messages:write', 'messages:read', 'templates:read'],
	networks: [],
	expiresAt: null,
	dayLimitRupees: null,
	isTest: false,
}
/** Returns the digits of a typed amount as a number; null without any. */
function rupeesOf(typed: string): number | null {
	const digits = typed.replace(/\D/g, '').slice(0, 9)
	return digits === '' ? null : Number(digits)
}

type KeyFormState = SchemaForm<typeof FIRST_VALUES>['form']

const DAY_LENGTH = '2026-11-22'.length

function KeyForm({ onMade }: Pick<KeyDialogProps, 'onMade'>) {
	const state = useSchemaForm({
		schema: CreateKeyBody,
		initialValues: FIRST_VALUES,
		submit: (body) => call(developer.createKey, { body }),
		saved: async ({ key }) => {
			await invalidate(developer.keys)
			onMade(key)
		},
		failed: (error) => toast.failure(error, 'Failed to create the API key'),
	})
	const { form } = state
	const values = form.getValues()
	const [today] = useState(() => indianDay(Date.now()))
	return (
		<GuardedForm state={state}>
			<TextInput
				label="Name"
				description="The system that will use the key, such as Tally or Shopify"
				autoComplete="off"
				required
				data-autofocus
				{...form.getInputProps('name')}
			/>
			<ScopeInputs form={form} />
			<Textarea
				label="Allowed IP addresses"
				description="One address or network per line, such as 203.0.113.0/24. Leave empty to allow all."
				autosize
				maxRows={6}
				defaultValue={values.networks.join('\n')}
				data-path="networks"
				error={form.errors.networks}
				onChange={({ currentTarget }) =>
					form.setFieldValue(
						'networks',
						currentTarget.value.split('\n').filter((line) => line.trim() !== ''),
					)
				}
			/>
			<TextInput
				type="date"
				label="Expires"
				description="The key works until the end of this day. Leave empty for a key that does not expire."
				min={today}
				{...form.getInputProps('expiresAt')}
				value={values.expiresAt?.slice(0, DAY_LENGTH) ?? ''}
				onChange={({ currentTarget: { value } }) =>
					form.setFieldValue('expiresAt', value === '' ? null : `${value}T23:59:59${INDIAN_UTC_OFFSET}`)
				}
			/>
			<TextInput
				label="Daily limit"
				description="The most that the key may spend in a day (Indian time), in whole rupees. Leave empty for no limit."
				inputMode="numeric"
				autoComplete="off"
				{...form.getInputProps('dayLimitRupees')}
				value={values.dayLimitRupees ?? ''}
				onChange={({ currentTarget: { value } }) => form.setFieldValue('dayLimitRupees', rupeesOf(value))}
			/>
			<ProofField form={form} why="A key can send messages and spend your balance, so we check that it is you." />
			<FormButtons>Create</FormButtons>
		</GuardedForm>
	)
}

/** Renders the checkboxes for test keys and for the scopes of a key. A test key has no scope that changes contacts. */
function ScopeInputs({ form }: { form: KeyFormState }) {
	const values = form.getValues()
	return (
		<>
			<Checkbox
				label="Test key"
				description="Its messages and campaigns are checked and answered, but neither sent nor charged."
				checked={values.isTest}
				onChange={({ currentTarget: { checked } }) => {
					form.setFieldValue('isTest', checked)
					if (checked)
						form.setFieldValue(
							'scopes',
							values.scopes.filter((scope) => TEST_SCOPES.includes(scope)),
						)
				}}
			/>
			<Checkbox.Group label="Permissions" required {...form.getInputProps('scopes')}>
				<Stack gap={8} mt={8}>
					{Scope.options.map((scope) => (
						<Checkbox
							key={scope}
							value={scope}
							label={SCOPE_TEXTS[scope]}
							disabled={values.isTest && !TEST_SCOPES.includes(scope)}
						/>
					))}
				</Stack>
			</Checkbox.Group>
		</>
	)
}
