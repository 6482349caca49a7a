import { TagsInput, type TagsInputProps } from '@mantine/core'
import { MAX_TAG_LENGTH, MAX_TAGS_OF_CONTACT } from '#features/contacts/custom-fields.ts'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { limited } from '#lib/web/limited.ts'
import { useCustomFields } from './custom-fields.ts'

/** Renders an input for tags that offers the account's tags. Saving the form creates new tags. */
export function TagsField(props: Omit<TagsInputProps, 'data'>) {
	const { tags } = useCustomFields()
	return (
		<TagsInput
			data={tags.map(({ name }) => withoutOverrides(name))}
			limit={50}
			maxTags={MAX_TAGS_OF_CONTACT}
			splitChars={[',', ';']}
			acceptValueOnBlur
			clearButtonProps={{ 'aria-label': 'Remove all tags' }}
			{...limited(MAX_TAG_LENGTH, props)}
		/>
	)
}
