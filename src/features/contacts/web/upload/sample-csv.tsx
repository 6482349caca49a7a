import { contacts } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import styles from './upload.module.css'

/** Offers a sample file with three columns. */
export function SampleCsv() {
	return (
		<div className={styles.head}>
			<p className={styles.quiet}>A file with the columns firstName, lastName and number.</p>
			<DownloadButton
				variant="subtle"
				read={() => call(contacts.sampleCsv)}
				fileName="sample_contacts.csv"
				failed={(error) => briefToast.failure(error, 'Failed to download sample CSV')}
			>
				Download Sample CSV
			</DownloadButton>
		</div>
	)
}
