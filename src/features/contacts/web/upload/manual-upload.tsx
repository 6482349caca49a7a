import { Box, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import { ContactDialog } from '../contact-dialog.tsx'

interface ManualUploadProps {
	groups: { value: string; label: string }[]
}

export function ManualUpload({ groups }: ManualUploadProps) {
	const adding = useDraftDialog<never>('contact-new')
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				Add one contact with a name and number. It appears in the list below.
			</Box>
			<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => adding.open(null)}>
				Add New Contact
			</Button>
			<ContactDialog opened={adding.opened} groups={groups} onClose={adding.close} />
		</Group>
	)
}
