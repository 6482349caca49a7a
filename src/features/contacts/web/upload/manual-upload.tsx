import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { ContactDialog } from '../contact-dialog.tsx'
import styles from './upload.module.css'

interface ManualUploadProps {
	groups: { value: string; label: string }[]
}

export function ManualUpload({ groups }: ManualUploadProps) {
	const [opened, { open, close }] = useDisclosure(false)
	return (
		<div className={styles.manual}>
			<p className={styles.quiet}>Add one contact with a name and number. It appears in the list below.</p>
			<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
				Add New Contact
			</Button>
			<ContactDialog opened={opened} groups={groups} onClose={close} />
		</div>
	)
}
