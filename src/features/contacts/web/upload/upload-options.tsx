import { Checkbox, Group, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import { Consent } from '#features/contacts/contract.ts'
import { Tags } from '#features/contacts/custom-fields.ts'
import { Required } from '#lib/fields.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConsentFields } from '../consent-fields.tsx'
import { GroupSelect, MissingChoices, NO_GROUP } from '../group-select.tsx'
import { createGroup, useNewName } from '../new-group.ts'
import { TagsField } from '../tags-field.tsx'

const Options = z.object({
	consent: z.nullable(Consent),
	/** Name of a group to create for the upload; null for an existing group, or none. */
	newGroup: z.nullable(Required('Name and type are required', 100)),
	update: z.boolean(),
	/** Tags for all people in the file. */
	tags: Tags,
})
type Options = z.output<typeof Options>
const AT_FIRST: Options = { consent: null, newGroup: null, update: true, tags: [] }

const NEW_GROUP = { value: 'new', label: 'A new group' }

type Answers = Pick<Options, 'consent' | 'update' | 'tags'>

/** Options of an upload. */
export interface Chosen extends Answers {
	group: string | null
}

/** Options before the upload, when the group may not exist yet. */
export interface Asked extends Answers {
	/**
	 * Returns the group's id or null, creating a new group. Called last, so that an earlier refusal leaves no empty
	 * group.
	 */
	groupOf: () => Promise<string | null>
}

interface OptionsGiven {
	/** Id of the chosen group; empty for none. */
	group: string
	setGroup: (group: string) => void
	begin: (asked: Asked) => Promise<void>
}

/** Holds the form of upload options; `begin` is called on submit. */
export function useUploadOptions({ group, setGroup, begin }: OptionsGiven) {
	const suggested = useNewName()
	const { form, busy, onSubmit } = useSchemaForm({
		draft: 'contacts-upload-options',
		isKeptOnLeave: true,
		schema: Options,
		initialValues: AT_FIRST,
		async submit({ newGroup, ...chosen }) {
			await begin({ ...chosen, groupOf: async () => (newGroup === null ? group || null : createGroup(newGroup)) })
			// The next file may contain other people.
			form.reset()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact group'),
	})
	const { consent, newGroup, update } = form.values
	const choose = (chosen: string | null) => {
		const isNew = chosen === NEW_GROUP.value
		setGroup(isNew ? '' : (chosen ?? ''))
		form.setFieldValue('newGroup', isNew ? suggested : null)
	}
	const fields = (
		<>
			<Group gap={12} align="flex-start">
				<GroupSelect
					flex="1 1 240px"
					maw={400}
					label="Group (optional)"
					description="Put these people in a group, so that you can send them a campaign later."
					before={[NO_GROUP, NEW_GROUP]}
					allowDeselect={false}
					value={newGroup === null ? group : NEW_GROUP.value}
					onChange={choose}
				/>
				{newGroup !== null && (
					<TextInput
						flex="1 1 240px"
						maw={400}
						label="Name of the new group"
						description="The group is created when the upload starts."
						autoComplete="off"
						required
						{...form.getInputProps('newGroup')}
					/>
				)}
			</Group>
			<MissingChoices />
			<TagsField
				maw={400}
				label="Tags (optional)"
				description="Added to everyone in this file."
				placeholder="Diwali list, Wholesale"
				{...form.getInputProps('tags')}
			/>
			<Checkbox
				label="Update people who are in your contacts already"
				description="Replaces their details with those in the file, and moves them to the group if you choose one. Their tags are kept."
				{...form.getInputProps('update', { type: 'checkbox' })}
			/>
			<ConsentFields
				question="All people in this file agreed to get messages from us"
				consent={consent}
				onChange={(next) => form.setFieldValue('consent', next)}
				inputProps={form.getInputProps}
			/>
		</>
	)
	return { fields, update, busy, submit: () => onSubmit() }
}
