import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { mutation } from '#lib/web/query.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { briefToast } from '#lib/web/toast.tsx'
import styles from './upload.module.css'

/** Offers a sample file with three columns. */
export function SampleCsv() {
	const download = useMutation({
		...mutation(contacts.sampleCsv),
		onSuccess: (file) => saveFile(file, 'sample_contacts.csv'),
		onError: (error) => briefToast.failure(error, 'Failed to download sample CSV'),
	})
	return (
		<div className={styles.head}>
			<p className={styles.quiet}>A file with the columns firstName, lastName and number.</p>
			<Button
				variant="subtle"
				leftSection={<IconDownload size={16} aria-hidden />}
				onClick={() => download.mutate({})}
				disabled={download.isPending}
				aria-busy={download.isPending}
			>
				Download Sample CSV
			</Button>
		</div>
	)
}
