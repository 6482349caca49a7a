import { type PasswordInputProps, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { queryClient } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { type Credentials, CredentialsBody, whatsapp } from '../contract.ts'
import { credentialsOf } from './credentials-query.ts'
import { type Field, MetaHelp, MetaPlace } from './meta-places.tsx'
import { SenderFacts } from './sender-facts.tsx'

interface CredentialsFormProps {
	userId: string
	/** Null when the user has no credentials yet. */
	stored: Credentials | null
	onSaved?: ((userId: string) => void) | undefined
}

export function CredentialsForm({ userId, stored, onSaved }: CredentialsFormProps) {
	const [outcome, setOutcome] = useState(NO_OUTCOME)
	const state = useSchemaForm({
		draft: draftName('credentials', { _id: userId }),
		schema: CredentialsBody,
		initialValues: valuesOf(stored),
		submit: async (body) => {
			setOutcome(NO_OUTCOME)
			const saved = await call(whatsapp.saveCredentials, { params: { userId }, body })
			queryClient.setQueryData(credentialsOf(userId).queryKey, saved.credentials)
			form.setInitialValues(valuesOf(saved.credentials))
			form.reset()
			setOutcome({ refusal: '', warnings: saved.warnings, isConnected: saved.isWebhookConnected })
			onSaved?.(userId)
			toast.success(saved.message)
		},
		failed: (error) =>
			setOutcome({ ...NO_OUTCOME, refusal: Object.keys(error.fields).length > 0 ? '' : messageOf(error, FAILED) }),
	})
	const { form } = state
	const propsOf = (field: Field) => ({
		...form.getInputProps(field),
		description: <MetaPlace of={field} />,
	})
	const first = useRef<HTMLInputElement>(null)
	const isNew = useRef(stored === null)
	// Focuses the first field of an empty form, which the dialog does not. A form with saved credentials is read first.
	useEffect(() => {
		if (isNew.current) first.current?.focus()
	}, [])
	return (
		<GuardedForm state={state} missing="A token or secret has to be entered again.">
			{stored && <SenderFacts credentials={stored} />}
			<MetaHelp open={stored === null} />
			<div className="abreast">
				<TextInput
					label="Phone Number ID"
					inputMode="numeric"
					autoComplete="off"
					required
					ref={first}
					{...propsOf('phone_number_id')}
				/>
				<TextInput label="WABA ID" inputMode="numeric" autoComplete="off" required {...propsOf('waba_id')} />
			</div>
			<SecretField label="Access Token" required saved={stored?.access_token} {...propsOf('access_token')} />
			<div className="abreast">
				<TextInput
					label="App ID"
					inputMode="numeric"
					autoComplete="off"
					{...propsOf('app_id')}
					description={
						<>
							Optional. Templates with a picture, video or document need it. <MetaPlace of="app_id" />
						</>
					}
				/>
				<SecretField label="App Secret" saved={stored?.app_secret} {...propsOf('app_secret')} />
			</div>
			<SaveOutcome {...outcome} />
			<FormButtons cancel={form.isDirty() || !stored ? 'Cancel' : 'Close'} miw={104}>
				Save
			</FormButtons>
		</GuardedForm>
	)
}

const FAILED = 'Failed to save credentials'

const NO_OUTCOME: SaveOutcomeProps = { refusal: '', warnings: [], isConnected: false }

function valuesOf(stored: Credentials | null) {
	const { phone_number_id = '', waba_id = '', access_token = '', app_id = '', app_secret = '' } = stored ?? {}
	return { phone_number_id, waba_id, access_token, app_id, app_secret }
}

interface SaveOutcomeProps {
	/** Reason why nothing was saved, if it concerns no single field; otherwise empty. */
	refusal: string
	/** Parts that do not work yet although the credentials were saved. */
	warnings: string[]
	/** True after saving credentials for which WhatsApp has reached the webhook address. */
	isConnected: boolean
}

/** Shows the outcome above the button and scrolls to it. WhatsApp's advice is too long for a toast. */
function SaveOutcome({ refusal, warnings, isConnected }: SaveOutcomeProps) {
	const place = useRef<HTMLDivElement>(null)
	const isEmpty = refusal === '' && warnings.length === 0 && !isConnected
	useEffect(() => {
		if (!isEmpty) place.current?.scrollIntoView({ block: 'nearest' })
	}, [isEmpty])
	if (isEmpty) return null
	return (
		<div className="stack" ref={place}>
			{refusal && (
				<Notice tone="error" role="alert">
					{refusal}
				</Notice>
			)}
			{isConnected && (
				<Notice tone="ok" role="status" title="Webhook connected ✓">
					WhatsApp reached this server. Delivery updates and replies of this number arrive here.
				</Notice>
			)}
			{warnings.map((warning) => (
				<Notice key={warning} tone="warn" role="alert">
					{warning}
				</Notice>
			))}
		</div>
	)
}

interface SecretFieldProps extends PasswordInputProps {
	label: string
	/** Mask of the saved secret; empty when none is saved. */
	saved: string | undefined
}

/**
 * Renders the input for a secret that is never sent to the browser: it shows a mask, and saving the mask keeps the
 * stored secret.
 */
function SecretField({ label, saved = '', required = false, description, ...rest }: SecretFieldProps) {
	const isUntouched = saved !== '' && rest.value === saved
	const kept = `Saved. Only its end is shown. Leave it unchanged to keep it, or paste a new one.`
	return (
		<PasswordField
			{...rest}
			label={label}
			what={label}
			required={required}
			// With any other value, the browser would fill in the user's own password.
			autoComplete="new-password"
			spellCheck={false}
			description={
				<>
					{isUntouched ? kept : required || 'Optional'} {description}
				</>
			}
			onFocus={(event) => {
				rest.onFocus?.(event)
				// Selects the mask, so that a new secret replaces all of it.
				if (isUntouched) event.currentTarget.select()
			}}
		/>
	)
}
