import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { contacts, type ContactRow } from '#features/contacts/contract.ts'
import type { Consent } from '#features/contacts/contract.ts'
import { customFields } from '#features/contacts/custom-fields.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { ConsentFields } from '../consent-fields.tsx'
import { allCustomFields } from '../custom-fields.ts'
import { GroupSelect, MissingChoices, NO_GROUP } from '../group-select.tsx'
import { TagsField } from '../tags-field.tsx'
import { TypedContact } from '../typed-contact.ts'
import { OptOutHistory } from './opt-out-history.tsx'
import { ValueInputs } from './value-inputs.tsx'

const BLANK = {
	firstName: '',
	lastName: '',
	number: '',
	group: null as string | null,
	consent: null as Consent | null,
	tags: [] as string[],
	fields: {} as Record<string, string>,
}

function valuesOf(contact: ContactRow): typeof BLANK {
	const { firstName, lastName, number, group, consent, tags, fields } = contact
	const shown = { lastName: lastName ?? '', number: displayNumber(number), group: group?._id ?? null }
	return { ...shown, firstName, consent, tags, fields }
}

const NUMBER_FORM = 'Ten digits, or with a country code'

export interface ContactDialogProps {
	/** Holds the contact to edit; null adds a new one. */
	dialog: Pick<DialogFor<ContactRow | null>, 'subject' | 'opened' | 'close'>
	/** Values of a new contact. The form then stores no draft, which another contact could find. */
	prefill?: Partial<Pick<typeof BLANK, 'firstName' | 'number'>>
	/** Called with the id of the saved contact. */
	onSaved: ((id: string) => void) | undefined
}

export function ContactDialog({ dialog, prefill, onSaved }: ContactDialogProps) {
	const { subject: contact, close } = dialog
	const done = (id: string) => {
		close()
		onSaved?.(id)
	}
	return (
		<FormDialog dialog={dialog} title={contact ? 'Edit Contact' : 'Add New Contact'} size={520}>
			<ContactForm key={contact?._id ?? 'new'} contact={contact} prefill={prefill} onDone={done} />
		</FormDialog>
	)
}

interface ContactFormProps extends Pick<ContactDialogProps, 'prefill'> {
	contact: ContactRow | null
	onDone: (id: string) => void
}

function ContactForm({ contact, prefill, onDone }: ContactFormProps) {
	const own = useQuery(allCustomFields).data
	const state = useSchemaForm({
		...(!prefill && { draft: draftName('contact', contact) }),
		schema: TypedContact,
		initialValues: contact ? valuesOf(contact) : { ...BLANK, ...prefill },
		submit(typed) {
			// A draft may contain values of deleted fields, which no longer have an input.
			const existing = Object.entries(typed.fields ?? {}).filter(([name]) =>
				own?.fields.some((one) => one.name === name),
			)
			const body = own ? { ...typed, fields: Object.fromEntries(existing) } : typed
			return contact ? call(contacts.update, { params: { id: contact._id }, body }) : call(contacts.create, { body })
		},
		saved: async ({ message, contact: saved }) => {
			briefToast.success(message)
			await invalidate(contacts.list, contacts.latest, contacts.groups, contacts.optOuts, customFields.list)
			onDone(saved._id)
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const { form } = state
	// The number of a stored contact was checked when it was typed.
	const isChanged = contact === null || form.values.number !== displayNumber(contact.number)
	return (
		<GuardedForm state={state}>
			<div className="abreast">
				<TextInput label="First name" autoComplete="off" required data-autofocus {...form.getInputProps('firstName')} />
				<TextInput label="Last name" autoComplete="off" {...form.getInputProps('lastName')} />
			</div>
			<TextInput
				label="Number"
				type="tel"
				autoComplete="off"
				placeholder="98765 43210 or +971 50 123 4567"
				required
				description={<NumberHint typed={isChanged ? form.values.number : ''} otherwise={NUMBER_FORM} />}
				{...form.getInputProps('number')}
			/>
			<GroupSelect
				label="Group"
				before={[NO_GROUP]}
				allowDeselect={false}
				value={form.values.group ?? ''}
				onChange={(chosen) => form.setFieldValue('group', chosen || null)}
			/>
			<MissingChoices />
			<TagsField label="Tags" placeholder="VIP, Wholesale" {...form.getInputProps('tags')} />
			<ValueInputs
				values={form.values.fields}
				onChange={(fields) => form.setFieldValue('fields', fields)}
				errorOf={(name) => form.errors[`fields.${name}`]}
			/>
			<ConsentFields
				question={contact?.optedOut ? 'They had agreed, and then opted out' : 'They agreed to get messages from us'}
				consent={form.values.consent}
				onChange={(consent) => form.setFieldValue('consent', consent)}
				inputProps={form.getInputProps}
			/>
			{contact && <OptOutHistory contactId={contact._id} />}
			<FormButtons>Save</FormButtons>
		</GuardedForm>
	)
}
